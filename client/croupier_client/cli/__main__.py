from croupier_client.cli import main

main()
