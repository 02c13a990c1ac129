"""Reads the configuration, the file, over it the environment, over that the command line, and checks it."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from croupier_server.config import Config
from croupier_server.configuring.checks import faults_of
from croupier_server.configuring.environment import Setting, from_environment
from croupier_server.configuring.toml_text import read_toml
from croupier_server.configuring.type_faults import type_faults
from croupier_server.errors import ConfigError, Fault, SetupError

COMMAND_LINE = "command line"


def read_config(
    path: Path | None,
    options: Mapping[tuple[str, str], Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
) -> Config:
    """The configuration in `path`, or the default one, with what the environment and `options` say instead.

    `options` has what the command line sets, by its path in the file; None there sets nothing. `environment`
    is the process's own unless given.

    Raises:
        ConfigError: with every fault, each naming where it is, its key and the reason.
        SetupError: the file cannot be read, or is not TOML.
    """
    raw = {} if path is None else _read_file(path)
    settings, faults = from_environment(os.environ if environment is None else environment)
    settings += [
        Setting(key, value, COMMAND_LINE) for key, value in (options or {}).items() if value is not None
    ]
    for one in settings:
        _set(raw, one.path, one.value)
    origins = {".".join(one.path): one.origin for one in settings}
    where = "configuration" if path is None else str(path)

    faults += [_line(fault, where, origins) for fault in type_faults(raw, Config)]
    if faults:
        raise ConfigError(tuple(faults))
    config = msgspec.convert(raw, Config)
    check_config(config, where, origins)
    return config


def check_config(config: Config, where: str, origins: Mapping[str, str] | None = None) -> None:
    """Checks what the types cannot say; `origins` names where keys come from that do not come from `where`.

    Raises:
        ConfigError: with every fault.
    """
    faults = tuple(_line(fault, where, origins or {}) for fault in faults_of(config))
    if faults:
        raise ConfigError(faults)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SetupError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SetupError(f"{path}: cannot be read: it is not UTF-8") from error
    except ValueError as error:
        raise SetupError(f"{path}: {error}") from error


def _set(raw: dict[str, Any], path: Iterable[str], value: Any) -> None:
    """Sets a key, unless what the file has in place of its section is none: that is a fault of its own."""
    *sections, name = path
    for section in sections:
        raw = raw.setdefault(section, {})
        if not isinstance(raw, dict):
            return
    raw[name] = value


def _line(fault: Fault, where: str, origins: Mapping[str, str]) -> str:
    origin = origins.get(fault.key.partition("[")[0], where)
    return f"{origin}: {fault.key}: {fault.reason}"
