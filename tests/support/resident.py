"""What processes have in memory (Linux)."""

from pathlib import Path


def resident_kb(process_id: int | str = "self") -> int:
    """The resident size of a process, of this one unless named."""
    lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
