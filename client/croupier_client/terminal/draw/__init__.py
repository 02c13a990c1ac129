"""Pictures of characters: what a lobby and a table look like. No I/O, and nothing of Textual.

`picture` says what a picture is; `table` and `lobby` put whole ones together from the parts beside them.
"""
