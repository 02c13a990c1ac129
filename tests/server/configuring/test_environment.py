"""What the environment sets of the configuration, and what it leaves alone."""

import re
from pathlib import Path

import pytest

from croupier_server.configuring.environment import from_environment
from croupier_server.configuring.keys import keys
from croupier_server.configuring.reading import read_config
from croupier_server.errors import ConfigError
from croupier_server.store.durability import Durability

NO_KEY = "there is no such key; the nearest is"

LISTS = """
[gateway]
exempt = ["192.0.2.1"]
trusted_proxies = ["10.0.0.1"]
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "croupier.toml"


def read(file=None, options=None, **environment):
    return read_config(
        file, options, environment={f"CROUPIER_{name}": text for name, text in environment.items()}
    )


def faults(file=None, **environment):
    with pytest.raises(ConfigError) as report:
        read(file, **environment)
    return list(report.value.faults)


def test_a_variable_goes_before_the_file_and_an_option_before_both(file):
    file.write_text("[server]\nport = 1\nadmin_port = 2\nworkers = 3")
    server = read(file, {("server", "workers"): 30}, SERVER_ADMIN_PORT="20", SERVER_WORKERS="29").server
    assert (server.port, server.admin_port, server.workers) == (1, 20, 30)


def test_each_kind_of_value_is_written_as_in_the_file_but_text_without_quotes():
    config = read(
        STORE_REDIS="redis://store:6379",
        STORE_DURABILITY="strict",
        SERVER_ROLE="gateway",
        SERVER_PORT="9_000",
        GUESTS_ENABLED="false",
        WALLET_START="250.50",
    )
    assert (config.store.redis, config.store.durability) == ("redis://store:6379", Durability.STRICT)
    assert (config.server.role, config.server.port, config.guests.enabled) == ("gateway", 9000, False)
    assert config.wallet.terms().start == 25_050


def test_a_list_is_written_as_in_the_file_or_with_commas(file):
    file.write_text(LISTS)
    gateway = read(
        file, GATEWAY_EXEMPT="192.0.2.7, 2001:db8::/32", GATEWAY_TRUSTED_PROXIES='["10.0.0.7", "10.0.0.8"]'
    ).gateway
    assert gateway.exempt == ("192.0.2.7", "2001:db8::/32")
    assert gateway.trusted_proxies == ("10.0.0.7", "10.0.0.8")
    assert read(file, GATEWAY_EXEMPT="[]").gateway.exempt == ()


def test_a_variable_without_a_value_sets_nothing(file):
    file.write_text(LISTS)
    assert read(file, GATEWAY_EXEMPT="", SERVER_PORT="").gateway.exempt == ("192.0.2.1",)


def test_a_section_of_a_section_is_set_key_by_key():
    beacon = read(
        SHOE_BEACON_SOURCE="https://b.example/{round}#randomness",
        SHOE_BEACON_GENESIS="1692803367",
        SHOE_BEACON_PERIOD="3",
    ).shoe.beacon
    assert (beacon.source, beacon.genesis, beacon.period) == (
        "https://b.example/{round}#randomness",
        1_692_803_367,
        3,
    )


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("SERVER_PORT", "http", "server.port: Expected `int`, got `str`"),
        ("SERVER_PORT", "65536", "server.port: Expected `int` <= 65535"),
        ("SERVER_PORT", "80\nrole = 'cook'", "server.port: Expected `int`, got `str`"),
        ("SERVER_PORT", "9" * 5_000, "server.port: Expected `int`, got `str`"),
        ("SERVER_PORT", "[" * 5_000, "server.port: Expected `int`, got `str`"),
        ("SERVER_BIND", "\udcff", "it is not UTF-8"),
        ("GUESTS_ENABLED", "yes", "guests.enabled: Expected `bool | null`, got `str`"),
        ("SERVER_ROLE", "cook", "server.role: Invalid enum value 'cook'"),
        ("WALLET_REFILL_EVERY", "1.5", "wallet.refill_every: Expected `int`, got `float`"),
        ("GATEWAY_EXEMPT", "10.0.0.1,lb", "gateway.exempt[1]: 'lb' does not appear to be"),
        ("SERVER_PROT", "80", f"{NO_KEY} CROUPIER_SERVER_PORT"),
        ("SERVER_PORT_80_TCP_PROTO", "tcp", f"{NO_KEY} CROUPIER_SERVER_"),
        ("SEVER_PORT", "80", f"{NO_KEY} CROUPIER_SERVER_PORT"),
        ("PORT", "tcp://10.0.0.1:8000", f"{NO_KEY} CROUPIER_SERVER_PORT"),
        ("server_port", "80", f"{NO_KEY} CROUPIER_SERVER_PORT"),
        ("SERVER__PORT", "80", f"{NO_KEY} CROUPIER_SERVER_PORT"),
        ("STORAGE_REDIS", "unix:///s", f"{NO_KEY} CROUPIER_STORE_REDIS"),
        ("PLAYSAFE_ENABLED", "true", f"{NO_KEY} CROUPIER_PLAY_SAFE_ENABLED"),
        ("SHOEKEY", "00" * 32, f"{NO_KEY} CROUPIER_SHOE_KEY"),
        ("IDENTITY_ISUER", "house", f"{NO_KEY} CROUPIER_IDENTITY_ISSUER"),
        ("TABEL_0_NAME", "a", "there is no such section; the nearest, tables, is set in the file alone"),
        ("RULE_HOME_DECKS", "6", "there is no such section; the nearest, rules, is set in the file alone"),
        ("TABLES_0_NAME", "a", "tables is set in the file alone"),
        ("IDENTITY_KEYS_0_FILE", "key", "identity.keys is set in the file alone"),
        ("RULES_HOME_DECKS", "6", "rules is set in the file alone"),
    ],
)
def test_a_fault_names_the_variable_and_what_is_wrong(name, text, reason):
    [fault] = faults(**{name: text})
    assert fault.startswith(f"environment variable CROUPIER_{name}: {reason}")
    assert "\n" not in fault


def test_faults_of_file_and_environment_are_told_together(file):
    file.write_text("[server]\nport = 'a'\nbnd = ''\n[[tables]]\nname = 'A'")
    assert faults(file, SERVER_WORKERS="-1", SERVER_PROT="1") == [
        f"environment variable CROUPIER_SERVER_PROT: {NO_KEY} CROUPIER_SERVER_PORT",
        f"{file}: server.port: Expected `int`, got `str`",
        f"{file}: server: Object contains unknown field `bnd`; there is `bind`",
        "environment variable CROUPIER_SERVER_WORKERS: server.workers: Expected `int` >= 0",
        f"{file}: tables[0].name: Expected `str` matching regex '^[a-z0-9][a-z0-9-]{{0,47}}$(?!\\\\n)'",
    ]


def test_a_section_that_the_file_has_as_something_else_is_the_files_fault(file):
    file.write_text("server = 5")
    assert faults(file, SERVER_PORT="80") == [f"{file}: server: Expected `object`, got `int`"]


def test_what_is_no_configuration_is_left_alone():
    others = {
        "CROUPIER_SHOE_KEY": "00" * 32,
        "CROUPIER_TEST_STORE": "redis-server",
        "CROUPIER_CI_MARK": "1",
        "CROUPIER_BENCH_SECONDS": "5",
        "CROUPIER_CHAOS_SEED": "7",
        "CROUPIER_KILLED_S": "9",
        "CROUPIER_CERTIFICATE": "/etc/croupier/croupier.pem",
        "CROUPIER_HOST": "croupier",
        "SERVER_PORT": "1",
        "croupier_server_port": "1",
    }
    assert from_environment(others) == ([], [])


def test_every_variable_that_the_projects_own_tests_read_is_left_alone():
    """One that is new and not known would stop each server that those tests start."""
    folder = Path(__file__).parents[2]
    reads = re.compile(r'environ\.get\("(CROUPIER_[A-Z_]+)"')
    read = {name for file in folder.rglob("*.py") for name in reads.findall(file.read_text())}
    assert {"CROUPIER_TEST_STORE", "CROUPIER_BENCH_SECONDS", "CROUPIER_KILLED_SEED"} <= read
    assert from_environment(dict.fromkeys(read, "1")) == ([], [])


def test_no_two_keys_have_one_variable():
    variables = [key.variable for key in keys() if key.variable is not None]
    assert len(variables) == len(set(variables))
    assert "CROUPIER_SHOE_KEY" not in variables
