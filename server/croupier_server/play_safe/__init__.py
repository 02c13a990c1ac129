"""What keeps play safe: limits that players set themselves, exclusion, and reality checks.

`terms` is what an operator configures; `applying` brings a player's limits to the pits and ends the seats of
whoever is kept from the tables; `commands` are the operator's. Time at the tables is counted by each
gateway, in `gateway/own_limits.py`. The record itself, and how a day's stake is right over all pits, is in
`store/own_limits.py`.
"""
