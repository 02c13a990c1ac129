"""Money between wallets and tables: transfers that never lose a chip, the ledger, and their audit."""
