"""What an operator does to tables, wallets and players: one implementation for the command line and the API.

Nothing here prints or knows of exit codes or HTTP: a function returns what there is to tell, or raises an
`OperationError`.
"""
