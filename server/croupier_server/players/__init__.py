"""Who plays: names as others see them, and guests.

- `names`: what a name may be, and when two names look alike.
- `arrivals`: how many new guests an address may bring.
- `guests`: guests and their resume tokens in the store.
- `closing`: ends guests that nobody has been for long.
"""
