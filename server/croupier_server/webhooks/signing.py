"""Signatures of deliveries as Standard Webhooks (standardwebhooks.com) has them; its libraries check them."""

import base64
import hashlib
import hmac
from collections.abc import Sequence


def headers(delivery: str, at_s: int, body: bytes, secrets: Sequence[bytes]) -> dict[str, str]:
    """What goes with a delivery: its id, seconds since 1970, and a signature of each secret over all three.

    >>> import base64  # the example that the specification's libraries are tested with
    >>> secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    >>> name = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    >>> headers(name, 1614265330, b'{"test": 2432232314}', [secret])["webhook-signature"]
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    signed = f"{delivery}.{at_s}.".encode() + body
    signatures = (base64.b64encode(hmac.digest(one, signed, hashlib.sha256)).decode() for one in secrets)
    return {
        "webhook-id": delivery,
        "webhook-timestamp": str(at_s),
        "webhook-signature": " ".join(f"v1,{one}" for one in signatures),
    }
