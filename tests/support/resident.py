"""What processes have in memory (Linux)."""

from pathlib import Path


def resident_kb(process_id: int | str = "self") -> int:
    """The resident size of a process, of this one unless named."""
    return _figure(process_id, "VmRSS")


def forget_peak(process_id: int | str = "self") -> None:
    """From now on `peak_kb` counts anew."""
    Path(f"/proc/{process_id}/clear_refs").write_text("5")


def peak_kb(process_id: int | str = "self") -> int:
    """The largest resident size that a process has had."""
    return _figure(process_id, "VmHWM")


def _figure(process_id: int | str, name: str) -> int:
    lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))
