"""The configuration file: what is read from it, and how a mistake is reported before anything starts."""

import pytest

from croupier_protocol.game.rules import RULE_SETS
from croupier_server.configuring.reading import read_config
from croupier_server.configuring.shoe_keys import configured_shoe_keys
from croupier_server.errors import SetupError
from croupier_server.store.wallets import WalletTerms
from croupier_server.table.listing import encode_listing, read_listing
from croupier_server.table.pace import SPEED, STANDARD, TURBO

KEY_TEXT = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "croupier.toml"


def test_without_a_file_there_is_one_table_per_rule_set(file):
    config = read_config(None)
    assert [one.table for one in config.table_settings()] == [
        "standard",
        "single-deck",
        "eight-deck",
        "two-field",
        "vegas",
    ]
    assert {one.pace for one in config.table_settings()} == {STANDARD}
    assert (config.server.bind, config.server.port, config.server.admin_port) == ("127.0.0.1", 8000, 8001)
    assert (config.store.redis, config.store.data, config.shoe.key_file) == (None, None, None)
    file.write_text("")
    assert read_config(file) == config


def test_what_a_file_says_is_taken(file):
    file.write_text("""
        [server]
        bind = "::1"
        port = 0
        admin_port = 65535

        [store]
        redis = "unix:///run/redis.sock"

        [shoe]
        key_file = "/etc/croupier/shoe.key"

        [[tables]]
        name = "fast"
        rules = "vegas"
        pace = "turbo"

        [[tables]]
        name = "slow"
    """)
    config = read_config(file)
    assert (config.server.bind, config.server.port, config.server.admin_port) == ("::1", 0, 65_535)
    assert (config.store.redis, config.shoe.key_file) == ("unix:///run/redis.sock", "/etc/croupier/shoe.key")
    fast, slow = config.table_settings()
    assert (fast.table, fast.rules, fast.pace) == ("fast", RULE_SETS["vegas"], TURBO)
    assert (slow.table, slow.rules, slow.pace) == ("slow", RULE_SETS["standard"], STANDARD)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("", True),
        ('[server]\nbind = "0.0.0.0"', False),
        ('[server]\nbind = "0.0.0.0"\n[guests]\nenabled = true', True),
        ("[guests]\nenabled = false", False),
        ('[gateway]\ntrusted_proxies = ["127.0.0.1"]', False),
        ('[gateway]\ntrusted_proxies = ["127.0.0.1"]\n[guests]\nenabled = true', True),
    ],
)
def test_guests_are_taken_where_only_this_machine_can_connect_or_the_file_says_so(file, text, taken):
    file.write_text(text)
    assert (read_config(file).arrivals() is not None) is taken


def test_how_many_guests_an_address_may_bring_is_in_the_file(file):
    file.write_text("[guests]\nburst = 5\na_minute = 1")
    arrivals = read_config(file).arrivals()
    assert (arrivals.burst, arrivals.a_minute) == (5, 1)


def test_what_a_gateway_takes_in_is_in_the_file(file):
    file.write_text("""
        [gateway]
        connections = 500
        per_address = 20
        trusted_proxies = ["10.0.0.0/8", "2001:db8::1"]
        exempt = ["198.51.100.7"]
    """)
    gateway = read_config(file).gateway
    assert (gateway.connections, gateway.per_address) == (500, 20)
    assert (gateway.trusted_proxies, gateway.exempt) == (("10.0.0.0/8", "2001:db8::1"), ("198.51.100.7",))
    usual = read_config(None).gateway
    assert (usual.connections, usual.per_address, usual.trusted_proxies, usual.exempt) == (
        20_000,
        250,
        (),
        (),
    )


def test_one_pace_for_every_table():
    assert {one.pace for one in read_config(None).with_pace("speed").table_settings()} == {SPEED}


def beacon(source="https://b.example/public/{round}#randomness", genesis=1_692_803_367, period=3):
    return f"[shoe.beacon]\nsource = '{source}'\ngenesis = {genesis}\nperiod = {period}"


@pytest.mark.parametrize("source", ["https://b.example/{round}#value", "http://127.0.0.1:9/{round}#value"])
def test_a_beacon_is_every_tables(file, source):
    file.write_text(beacon(source))
    settings = read_config(file).table_settings()
    assert len(settings) == 5
    assert {(one.beacon.source, one.beacon.genesis, one.beacon.period) for one in settings} == {
        (source, 1_692_803_367, 3)
    }
    listed = read_listing(encode_listing(settings[0])).settings(settings[0].table)
    assert listed.beacon == settings[0].beacon


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ("[server", "", "(at end of document)"),
        ("port = 1 = 2", "", "at line 1, column 10"),
        ("[servr]\nport = 1", "top level", "unknown field `servr`"),
        ("[server]\nprot = 1", "server", "unknown field `prot`"),
        ('[server]\nport = "80"', "server.port", "Expected `int`, got `str`"),
        ("[server]\nport = 80.5", "server.port", "Expected `int`, got `float`"),
        ("[server]\nport = true", "server.port", "Expected `int`, got `bool`"),
        ("[server]\nport = 65536", "server.port", "Expected `int` <= 65535"),
        ("[server]\nadmin_port = -1", "server.admin_port", "Expected `int` >= 0"),
        ("[server]\nworkers = 257", "server.workers", "Expected `int` <= 256"),
        ("[server]\nrole = 'cook'", "server.role", "Invalid enum value 'cook'"),
        ("[server]\nrole = 'dealer'", "server.role", "a dealer alone needs a store that others share"),
        ("[gateway]\nconnections = 0", "gateway.connections", "Expected `int` >= 1"),
        ("[gateway]\nper_address = 0", "gateway.per_address", "Expected `int` >= 1"),
        ("[gateway]\nper_adress = 9", "gateway", "unknown field `per_adress`"),
        ("[gateway]\ntrusted_proxies = '10.0.0.1'", "gateway.trusted_proxies", "Expected `array`, got `str`"),
        ("[identity]\ncookie = 'a;b'", "identity.cookie", "matching regex"),
        ("[gateway]\norigins = ['https://a.example/']", "gateway.origins[0]", "is no origin"),
        ("[gateway]\norigins = ['http://[::1]:80', 'null']", "gateway.origins[1]", "is no origin"),
        ("[gateway]\ntrusted_proxies = ['::1', 'lb']", "gateway.trusted_proxies[1]", "'lb' does not appear"),
        ("[gateway]\nexempt = ['10.0.0.1/8']", "gateway.exempt[0]", "10.0.0.1/8 has host bits set"),
        ("[server]\nbind = 1", "server.bind", "Expected `str`, got `int`"),
        ('[server]\nbind = "\\u0000"', "server.bind", "it has the character NUL in it"),
        ('[shoe]\nkey_file = "a\\u0000b"', "shoe.key_file", "it has the character NUL in it"),
        ('[api]\nkey_files = ["k", "a\\u0000b"]', "api.key_files", "it has the character NUL in it"),
        ('identity.keys = [{file = "a\\u0000b"}]', "identity.keys[0].file", "the character NUL"),
        ("server = 5", "server", "Expected `object`, got `int`"),
        ("[store]\nredis = 6379", "store.redis", "Expected `str | null`, got `int`"),
        ("[shoe.beacon]\nsource = 'https://b.example/{round}#r'", "shoe.beacon", "missing required field"),
        (beacon(period=0), "shoe.beacon.period", "Expected `int` >= 1"),
        (beacon(genesis=2**40), "shoe.beacon.genesis", "the first round has to have come"),
        (beacon("http://b.example/{round}#r"), "shoe.beacon.source", "name an https address"),
        (beacon("https://b.example/latest#r"), "shoe.beacon.source", "with {round} in it"),
        (beacon("https://b.example/{round}"), "shoe.beacon.source", "the member of its answer"),
        (beacon("https://b.example/#{round}"), "shoe.beacon.source", "with {round} in it"),
        (beacon("https:///{round}#r"), "shoe.beacon.source", "name an https address"),
        (beacon("https://b.example/{round} #r"), "shoe.beacon.source", "without spaces"),
        ("[tables]\nname = 'a'", "tables", "Expected `array`, got `object`"),
        ("tables = []", "tables", "there must be at least one"),
        ("[[tables]]\nrules = 'vegas'", "tables[0]", "missing required field `name`"),
        ("[[tables]]\nname = 'a'\nlimit = 5", "tables[0]", "unknown field `limit`"),
        ("[[tables]]\nname = 'A b'", "tables[0].name", "Expected `str` matching regex"),
        ("[[tables]]\nname = ''", "tables[0].name", "Expected `str` matching regex"),
        ("[[tables]]\nname = 'a'\nrules = 'punto'", "tables[0].rules", "there is no rule set 'punto'"),
        (
            "[[tables]]\nname = 'a'\nlimits = {main_least = 50, main_most = 5}",
            "tables[0].limits",
            "main_least is above main_most",
        ),
        ("[[tables]]\nname = 'a'\npace = 'slow'", "tables[0].pace", "there is no pace 'slow'"),
        ("[[tables]]\nname = 'a'\n[[tables]]\nname = 'a'", "tables[1].name", "a second table named 'a'"),
    ],
)
def test_a_mistake_is_reported_with_file_key_and_reason(file, text, key, reason):
    file.write_text(text)
    with pytest.raises(SetupError) as report:
        read_config(file)
    assert str(report.value).startswith(f"{file}: {key}")
    assert reason in str(report.value)
    assert "\n" not in str(report.value)


def test_an_unknown_name_is_answered_with_those_that_there_are(file):
    file.write_text("[[tables]]\nname = 'a'\nrules = 'punto'")
    with pytest.raises(SetupError, match="standard, single-deck, eight-deck, two-field, vegas"):
        read_config(file)


def test_a_file_that_cannot_be_read_is_reported(file, tmp_path):
    with pytest.raises(SetupError, match=f"{file}: cannot be read: No such file"):
        read_config(file)
    with pytest.raises(SetupError, match=f"{tmp_path}: cannot be read: Is a directory"):
        read_config(tmp_path)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(SetupError, match=f"{file}: cannot be read: it is not UTF-8"):
        read_config(file)
    file.write_text("port = " + "[" * 5_000)
    with pytest.raises(SetupError, match=f"{file}: it is nested too deeply"):
        read_config(file)
    file.write_text("port = " + "9" * 5_000)
    with pytest.raises(SetupError, match=f"{file}: it has a number with too many digits"):
        read_config(file)


def test_the_shoe_key_comes_from_the_environment_before_the_file(file, tmp_path, monkeypatch):
    monkeypatch.delenv("CROUPIER_SHOE_KEY", raising=False)
    assert configured_shoe_keys(read_config(None)) == ()
    key_file = tmp_path / "shoe.key"
    key_file.write_text("ff" * 32 + "\n")
    file.write_text(f"[shoe]\nkey_file = '{key_file}'")
    assert configured_shoe_keys(read_config(file)) == (b"\xff" * 32,)
    monkeypatch.setenv("CROUPIER_SHOE_KEY", KEY_TEXT)
    assert configured_shoe_keys(read_config(file)) == (bytes(range(32)),)


def test_a_key_file_may_hold_older_keys_after_the_one_that_seals(file, tmp_path, monkeypatch):
    monkeypatch.delenv("CROUPIER_SHOE_KEY", raising=False)
    (tmp_path / "shoe.key").write_text("ff" * 32 + "\n" + "0a" * 32 + "\n")
    file.write_text(f"[shoe]\nkey_file = '{tmp_path}/shoe.key'")
    assert configured_shoe_keys(read_config(file)) == (b"\xff" * 32, b"\x0a" * 32)


@pytest.mark.parametrize("content", [b"", b"abc", b"zz" * 32, b"ab" * 31, b"ab" * 33, b"\xff" * 32])
def test_a_shoe_key_that_is_none_is_reported_without_repeating_it(file, tmp_path, content, monkeypatch):
    monkeypatch.delenv("CROUPIER_SHOE_KEY", raising=False)
    key_file = tmp_path / "shoe.key"
    key_file.write_bytes(content)
    file.write_text(f"[shoe]\nkey_file = '{key_file}'")
    with pytest.raises(SetupError, match=f"{key_file} must hold a key of 64 hexadecimal digits") as report:
        configured_shoe_keys(read_config(file))
    assert not content or content.decode("latin-1") not in str(report.value)


def test_a_shoe_key_file_that_is_not_there_is_reported(file, monkeypatch):
    monkeypatch.delenv("CROUPIER_SHOE_KEY", raising=False)
    file.write_text("[shoe]\nkey_file = '/nowhere/shoe.key'")
    with pytest.raises(SetupError, match=r"/nowhere/shoe.key cannot be read: No such file"):
        configured_shoe_keys(read_config(file))


@pytest.mark.parametrize("text", ["", "abc", "zz" * 32])
def test_a_shoe_key_of_the_environment_that_is_none_is_reported(monkeypatch, text):
    monkeypatch.setenv("CROUPIER_SHOE_KEY", text)
    with pytest.raises(SetupError, match="variable CROUPIER_SHOE_KEY must hold a key"):
        configured_shoe_keys(read_config(None))


HOUSE_RULES = """
[rules.home]
decks = 6
bets = ["player", "banker", "tie", "perfect_pair"]
pays = { tie = 9 }
[[tables]]
name = "mine"
rules = "home"
"""


def test_a_table_plays_rules_of_the_file(file):
    file.write_text(HOUSE_RULES)
    [settings] = read_config(file).table_settings()
    assert (settings.rules.name, settings.rules.decks) == ("home", 6)
    assert settings.rules.offered["tie"].pays == (9,)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("decks = 6", "decks = 1", "perfect_pair needs two decks"),
        ("tie = 9", "tie = -1", "below zero"),
        ('"tie", ', '"tie", "dragon_8", ', "there is no bet called 'dragon_8'"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_with_the_reason(file, old, new, reason):
    file.write_text(HOUSE_RULES.replace(old, new))
    with pytest.raises(SetupError, match=reason) as report:
        read_config(file)
    assert str(report.value).startswith(f"{file}: ")


@pytest.mark.parametrize("name", ["a\\u001b[2J", "a\\nb", "\\u202ea", "x" * 41])
def test_a_rule_set_has_a_name_that_can_be_seen_and_is_short(file, name):
    file.write_text(f'[rules."{name}"]\n[[tables]]\nname = "a"\nrules = "{name}"\n')
    with pytest.raises(SetupError, match="is no name: 40 characters at most") as report:
        read_config(file)
    assert str(report.value).isprintable()


@pytest.mark.parametrize("key", ["bind", "admin_bind"])
def test_an_address_that_is_none_is_refused(file, key):
    file.write_text(f'[server]\n{key} = ""\n')
    with pytest.raises(SetupError, match=f"server.{key}: name an address"):
        read_config(file)


def test_amounts_are_written_in_units_and_kept_in_cents(file):
    file.write_text("""
[wallet]
start = 250.50
refill_to = "100"
refill_every = 3600
[[tables]]
name = "high"
early_close = false
auto_rebet = false
limits = { main_least = 5, main_most = 2500.25, chips = [1, 0.25], seats = 7 }
""")
    config = read_config(file)
    assert config.wallet.terms() == WalletTerms(start=25_050, refill_to=10_000, refill_every_ms=3_600_000)
    [settings] = config.table_settings()
    assert (settings.early_close, settings.auto_rebet) == (False, False)
    limits = settings.limits
    assert (limits.main_least, limits.main_most, limits.chips, limits.seats) == (500, 250_025, (100, 25), 7)
    assert limits.other_most == 10_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[wallet]\nstart = 0.001", "wallet: 0.001 is no amount of whole cents"),
        ("[wallet]\nstart = nan", "wallet: nan is no amount of whole cents"),
        ("[wallet]\nstart = -1", "wallet: -1 is no amount of whole cents"),
        ("[[tables]]\nname = 'a'\nlimits = { most = 5 }", "tables.0..limits: .*unknown field `most`"),
        ("[[tables]]\nname = 'a'\nlimits = { main_least = 0 }", "tables.0..limits: .*>= 1"),
        ("[[tables]]\nname = 'a'\nlimits = { step = 'x' }", "tables.0..limits: 'x' is no amount"),
    ],
)
def test_amounts_that_are_none_are_refused_with_key_and_reason(file, text, reason):
    file.write_text(text)
    with pytest.raises(SetupError, match=reason):
        read_config(file)
