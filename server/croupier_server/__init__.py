"""The server side of Croupier: tables, dealers, gateways and the store behind them."""
