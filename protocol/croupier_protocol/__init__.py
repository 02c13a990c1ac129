"""What both ends of a Croupier connection must agree on: the game, the shoe, the messages."""
