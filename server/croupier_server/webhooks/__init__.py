"""Webhooks: receivers of the operator's are told of rounds and players, at least once, signed.

pit's events ──collecting──▶ deliveries in the store ──sending──▶ a receiver each
"""
