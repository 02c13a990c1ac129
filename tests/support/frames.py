"""Messages as their frames have them."""

import base64


def in_json(value):
    """A message decoded from MessagePack as JSON has it: bytes are base64 text there."""
    match value:
        case bytes():
            return base64.b64encode(value).decode()
        case dict():
            return {key: in_json(part) for key, part in value.items()}
        case list():
            return [in_json(part) for part in value]
    return value
