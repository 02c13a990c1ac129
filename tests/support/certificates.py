"""Certificates of tests."""

import datetime as dt
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


@dataclass(frozen=True)
class Certificate:
    """A certificate for localhost that signs itself, with its key, as files."""

    chain: Path
    key: Path
    both: Path

    def trusted(self) -> ssl.SSLContext:
        """What trusts it alone."""
        return ssl.create_default_context(cafile=str(self.chain))


def make_certificate(folder: Path) -> Certificate:
    """A certificate for localhost and 127.0.0.1, good for an hour."""
    key = ec.generate_private_key(ec.SECP256R1())
    serial = x509.random_serial_number()
    # A subject of its own, since of two with the same one a client that trusts both finds the wrong one.
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"a test's {serial:x}"[:64])])
    now = dt.datetime.now(dt.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    chain_pem = certificate.public_bytes(serialization.Encoding.PEM)
    key_pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    made = Certificate(folder / "fullchain.pem", folder / "privkey.pem", folder / "both.pem")
    made.chain.write_bytes(chain_pem)
    made.key.write_bytes(key_pem)
    made.both.write_bytes(chain_pem + key_pem)
    return made
