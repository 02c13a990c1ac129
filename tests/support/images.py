"""A store written down key by key, as text that any server of either kind can be given again."""

import base64


async def save(client) -> dict:
    """Every key: its type and what it holds. Times stay what they were."""
    image = {}
    for key in sorted(await client.keys()):
        kind = (await client.type(key)).decode()
        match kind:
            case "hash":
                held = [
                    [_text(field), _text(value)]
                    for field, value in sorted((await client.hgetall(key)).items())
                ]
            case "string":
                held = _text(await client.get(key))
            case "list":
                held = [_text(one) for one in await client.lrange(key, 0, -1)]
            case "zset":
                held = [
                    [_text(one), score] for one, score in await client.zrange(key, 0, -1, withscores=True)
                ]
            case "stream":
                held = [
                    [entry.decode(), [[_text(field), _text(value)] for field, value in fields.items()]]
                    for entry, fields in await client.xrange(key)
                ]
        image[key.decode()] = [kind, held]
    return image


async def load(client, image: dict) -> None:
    """Fills an empty store."""
    for key, (kind, held) in image.items():
        match kind:
            case "hash":
                await client.hset(key, mapping={_bytes(field): _bytes(value) for field, value in held})
            case "string":
                await client.set(key, _bytes(held))
            case "list":
                await client.rpush(key, *map(_bytes, held))
            case "zset":
                await client.zadd(key, {_bytes(one): score for one, score in held})
            case "stream":
                for entry, fields in held:
                    await client.xadd(
                        key, {_bytes(field): _bytes(value) for field, value in fields}, id=entry
                    )


def _text(value: bytes) -> str:
    """Readable where it can be, and exact."""
    text = value.decode("ascii", errors="replace")
    if text.isprintable() and "\ufffd" not in text and not text.startswith("base64:"):
        return text
    return "base64:" + base64.b64encode(value).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text.removeprefix("base64:")) if text.startswith("base64:") else text.encode()
