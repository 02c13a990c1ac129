"""Operators' tokens, made by hand: which are read, which are refused, and by which keys."""

import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from croupier_server.configuring.reading import read_config
from croupier_server.errors import SetupError
from croupier_server.players.accounts import BadTokenError, IdentityTerms, KeyFile
from croupier_server.players.token_command import token as token_command
from croupier_server.players.token_keys import KeyRing, read_keys
from croupier_server.players.tokens import Tokens
from support.tokens import SECRET, b64, hs256, signed

NOW_S = 1_800_000_000
CLAIMS = {"sub": "ana", "aud": "croupier", "iat": NOW_S - 10, "exp": NOW_S + 600, "name": " Ana "}

RSA = rsa.generate_private_key(65537, 2048)
ED = Ed25519PrivateKey.generate()
EC = ec.generate_private_key(ec.SECP256R1())


def rs256(key=RSA):
    return lambda text: key.sign(text, padding.PKCS1v15(), hashes.SHA256())


def es256(text):
    r, s = decode_dss_signature(EC.sign(text, ec.ECDSA(hashes.SHA256())))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def public(key) -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def private(key) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.fixture
def keep(tmp_path):
    """Writes a key to a file of its own and returns its entry in the configuration."""

    def write(content: bytes, algorithm="HS256", **options) -> KeyFile:
        path = tmp_path / f"key{len(list(tmp_path.iterdir()))}"
        path.write_bytes(content)
        return KeyFile(str(path), algorithm, **options)

    return write


def reader(*files, steady=lambda: 0.0, **terms):
    terms = IdentityTerms(keys=files, **terms)
    return Tokens(terms, KeyRing(terms.keys, steady))


def read(tokens, token):
    return tokens.read(token, NOW_S * 1000)


def code_of(tokens, token) -> str:
    with pytest.raises(BadTokenError) as refused:
        read(tokens, token)
    assert token not in str(refused.value)
    return refused.value.code.value


@pytest.mark.parametrize(
    ("algorithm", "key", "sign"),
    [
        ("HS256", SECRET, lambda text: hmac.digest(SECRET, text, hashlib.sha256)),
        ("RS256", public(RSA), rs256()),
        ("ES256", public(EC), es256),
        ("EdDSA", public(ED), ED.sign),
    ],
)
def test_a_token_of_each_algorithm_says_who_its_holder_is(keep, algorithm, key, sign):
    holder = read(reader(keep(key, algorithm)), signed(CLAIMS, sign, alg=algorithm))
    assert (holder.player, holder.name) == ("ana", "Ana")
    assert (holder.issued_ms, holder.expires_ms) == (1_799_999_990_000, 1_800_000_600_000)


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ({"exp": NOW_S}, "token_expired"),
        ({"exp": NOW_S - 100_000}, "token_expired"),
        ({"iat": NOW_S + 11}, "bad_token"),
        ({"nbf": NOW_S + 11}, "bad_token"),
        ({"exp": None}, "bad_token"),
        ({"iat": None}, "bad_token"),
        ({"aud": None}, "bad_token"),
        ({"sub": None}, "bad_token"),
        ({"aud": "another"}, "bad_token"),
        ({"aud": ["another", "more"]}, "bad_token"),
        ({"exp": "tomorrow"}, "bad_token"),
        ({"exp": True}, "bad_token"),
        ({"exp": 1e300}, "bad_token"),
        ({"exp": 10**400}, "bad_token"),
        ({"exp": float("inf")}, "bad_token"),
        ({"iat": -1}, "bad_token"),
        ({"iat": 10**400}, "bad_token"),
        ({"nbf": 10**400}, "bad_token"),
        ({"nbf": float("nan")}, "bad_token"),
        ({"sub": ""}, "bad_token"),
        ({"sub": 42}, "bad_token"),
        ({"sub": "a|b"}, "bad_token"),
        ({"sub": "a{b}"}, "bad_token"),
        ({"sub": "ana\n"}, "bad_token"),
        ({"sub": "x" * 65}, "bad_token"),
        ({"sub": "g0123456789abcdef"}, "bad_token"),
        ({"sub": "t0123456789abcdef"}, "bad_token"),
    ],
)
def test_a_token_with_a_wrong_claim_is_refused(keep, claims, code):
    claims = {name: value for name, value in {**CLAIMS, **claims}.items() if value is not None}
    assert code_of(reader(keep(SECRET)), hs256(**claims)) == code


def test_an_issuer_is_asked_for_where_one_is_named(keep):
    tokens = reader(keep(SECRET), issuer="https://house.example")
    assert read(tokens, hs256(**CLAIMS, iss="https://house.example")).player == "ana"
    assert code_of(tokens, hs256(**CLAIMS)) == "bad_token"
    assert code_of(tokens, hs256(**CLAIMS, iss="https://another.example")) == "bad_token"


def test_a_name_that_cannot_be_shown_is_left_out(keep):
    assert read(reader(keep(SECRET)), hs256(**{**CLAIMS, "name": "\u202e"})).name == ""
    assert read(reader(keep(SECRET)), hs256(**{**CLAIMS, "name": ["Ana"]})).name == ""


def test_what_is_not_signed_by_the_key_is_refused(keep):
    """The public key of a pair is known to everyone: as a secret it must open nothing."""
    both = reader(keep(public(RSA), "RS256"), keep(SECRET))
    assert read(both, hs256(**CLAIMS)).player == "ana"
    assert code_of(both, hs256(public(RSA), **CLAIMS)) == "bad_token"
    assert code_of(both, hs256(public(RSA).strip(), **CLAIMS)) == "bad_token"
    assert code_of(both, hs256(b"x" * 64, **CLAIMS)) == "bad_token"
    assert code_of(both, signed(CLAIMS, lambda _: b"", alg="none")) == "bad_token"
    assert code_of(both, signed(CLAIMS, lambda _: b"", alg="None")) == "bad_token"
    assert (
        code_of(both, signed(CLAIMS, lambda text: hmac.digest(SECRET, text, "sha512"), alg="HS512"))
        == "bad_token"
    )
    assert code_of(both, signed(CLAIMS, ED.sign, alg="EdDSA")) == "bad_token"
    other = rsa.generate_private_key(65537, 2048)
    assert code_of(both, signed(CLAIMS, rs256(other), alg="RS256")) == "bad_token"
    head, body, signature = hs256(**CLAIMS).split(".")
    forged = b64(json.dumps({**CLAIMS, "sub": "bo"}).encode())
    assert code_of(both, f"{head}.{forged}.{signature}") == "bad_token"
    assert code_of(both, f"{head}.{body}.") == "bad_token"


@pytest.mark.parametrize(
    "token",
    [
        "",
        ".",
        "..",
        "a.b.c",
        "é.é.é",
        "x" * 3_000,
        f"{b64(b'[]')}.{b64(b'{}')}.{b64(b'')}",
        b64(b'{"alg":7}') + ".e30.",
    ],
)
def test_what_is_no_token_is_refused(keep, token):
    tokens = reader(keep(SECRET))
    with pytest.raises(BadTokenError):
        read(tokens, token)


def test_a_token_that_names_its_key_is_opened_by_that_one_alone(keep):
    tokens = reader(keep(SECRET, id="new"), keep(b"y" * 32, id="old"))

    def named(kid, secret):
        return signed(CLAIMS, lambda text: hmac.digest(secret, text, "sha256"), alg="HS256", kid=kid)

    assert read(tokens, named("new", SECRET)).player == "ana"
    assert read(tokens, named("old", b"y" * 32)).player == "ana"
    assert code_of(tokens, named("new", b"y" * 32)) == "bad_token"
    assert code_of(tokens, named("other", SECRET)) == "bad_token"
    assert read(tokens, hs256(**CLAIMS)).player == "ana"


def test_a_key_that_was_replaced_opens_tokens_until_its_date(keep):
    old = keep(b"y" * 32, until=datetime.fromtimestamp(NOW_S, UTC))
    tokens = reader(keep(SECRET), old)
    token = hs256(b"y" * 32, **CLAIMS)
    assert tokens.read(token, NOW_S * 1000 - 1).player == "ana"
    assert code_of(tokens, token) == "bad_token"


def test_files_that_change_are_read_again_and_broken_ones_change_nothing(keep, caplog):
    clock, file = [0.0], keep(SECRET)
    tokens = reader(file, steady=lambda: clock[0])
    newer = hs256(b"z" * 40, **CLAIMS)
    for content, opens in ((b"z" * 40, newer), (b"short", newer), (SECRET, hs256(**CLAIMS))):
        Path(file.file).write_bytes(content)
        clock[0] += 2.0
        assert read(tokens, opens).player == "ana"
    assert "at least 32 bytes" in caplog.text
    assert code_of(tokens, newer) == "bad_token"


def test_a_set_of_keys_names_algorithms_and_ids_itself(keep):
    numbers = RSA.public_key().public_numbers()

    def whole(number, size):
        return b64(number.to_bytes(size, "big"))

    listed = {
        "keys": [
            {"kty": "RSA", "alg": "RS256", "kid": "r", "n": whole(numbers.n, 256), "e": whole(numbers.e, 3)},
            {
                "kty": "OKP",
                "crv": "Ed25519",
                "alg": "EdDSA",
                "kid": "e",
                "x": b64(ED.public_key().public_bytes_raw()),
            },
        ]
    }
    tokens = reader(keep(json.dumps(listed).encode(), "JWKS"))
    assert read(tokens, signed(CLAIMS, rs256(), alg="RS256", kid="r")).player == "ana"
    assert read(tokens, signed(CLAIMS, ED.sign, alg="EdDSA", kid="e")).player == "ana"
    assert code_of(tokens, signed(CLAIMS, rs256(), alg="RS256", kid="e")) == "bad_token"
    assert code_of(tokens, hs256(**CLAIMS)) == "bad_token"


OCT = {"keys": [{"kty": "oct", "alg": "HS256", "kid": "x", "k": base64.urlsafe_b64encode(SECRET).decode()}]}


@pytest.mark.parametrize(
    ("content", "algorithm", "says"),
    [
        (b"short", "HS256", "at least 32 bytes"),
        (public(RSA), "HS256", "not a secret"),
        (private(RSA), "RS256", "private key"),
        (public(ED), "RS256", "no key for RS256"),
        (public(RSA), "EdDSA", "no key for EdDSA"),
        (b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "ES256", "no public key"),
        (public(rsa.generate_private_key(65537, 1024)), "RS256", "at least 2048 bits"),
        (b"{", "JWKS", "no set of keys"),
        (b'{"keys": []}', "JWKS", "no set of keys"),
        (b"[]", "JWKS", "no set of keys"),
        (json.dumps(OCT).encode(), "JWKS", "are not taken"),
    ],
)
def test_a_file_that_is_no_key_says_so(keep, content, algorithm, says):
    file = keep(content, algorithm)
    with pytest.raises(SetupError, match=says) as refused:
        read_keys([file])
    assert str(refused.value).startswith(f"{file.file}: ")


def test_a_configuration_with_a_key_that_is_not_there_is_refused_by_name(tmp_path):
    path = tmp_path / "croupier.toml"
    path.write_text('[[identity.keys]]\nfile = "/nowhere/key"\n')
    with pytest.raises(SetupError, match=r"croupier\.toml: identity\.keys: /nowhere/key: cannot be read"):
        read_config(path)
    path.write_text('[[identity.keys]]\nfile = "x"\nuntil = 2027-01-31T00:00:00\n')
    with pytest.raises(SetupError, match="which time zone"):
        read_config(path)


@pytest.fixture
def configured(tmp_path):
    (tmp_path / "secret").write_bytes(SECRET + b"\n")
    path = tmp_path / "croupier.toml"
    path.write_text(
        f'[identity]\nissuer = "house"\n[[identity.keys]]\nfile = "{tmp_path}/secret"\nid = "k1"\n'
    )
    return path


def test_the_command_signs_what_the_server_reads(configured, capsys):
    assert token_command("ana.42", name="Ana", expires="15m", config=configured) == 0
    token = capsys.readouterr().out.strip()
    head, body, signature = token.split(".")
    assert json.loads(base64.urlsafe_b64decode(head + "==")) == {"alg": "HS256", "kid": "k1", "typ": "JWT"}
    assert signature == b64(hmac.digest(SECRET, f"{head}.{body}".encode(), "sha256"))
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    assert claims.pop("exp") - claims["iat"] == 900
    assert claims.pop("iat") > 1_700_000_000
    assert claims == {"sub": "ana.42", "aud": "croupier", "name": "Ana", "iss": "house"}


def test_the_command_signs_with_a_private_key(tmp_path, configured, capsys):
    (tmp_path / "pair").write_bytes(private(ED))
    assert token_command("ana", key=tmp_path / "pair", algorithm="EdDSA", config=configured) == 0
    head, body, signature = capsys.readouterr().out.strip().split(".")
    ED.public_key().verify(base64.urlsafe_b64decode(signature + "=="), f"{head}.{body}".encode())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"player": "a|b"}, "cannot be a player's id"),
        ({"player": "g0123456789abcdef"}, "cannot be a player's id"),
        ({"player": "ana", "expires": "1y"}, "no time such as"),
        ({"player": "ana", "expires": "400d"}, "no time such as"),
        ({"player": "ana", "algorithm": "none"}, "there is no algorithm 'none'"),
        ({"player": "ana", "algorithm": "RS256"}, "name the key to sign with"),
        ({"player": "ana", "name": "\u202e"}, "cannot be shown"),
    ],
)
def test_the_command_says_what_has_to_be_put_right(configured, capsys, arguments, says):
    player = arguments.pop("player")
    assert token_command(player, config=configured, **arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert says in told.err
