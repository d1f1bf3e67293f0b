"""The Go Text Protocol, version 2, for any game.

`server.py` moves lines and replies, `command.py` says what a command is, `words.py` reads arguments. `game.py`,
`moves.py` and `rules.py` are the native games, `games.py` puts them together. Go has more to say: `tesuji.go.gtp`.
"""
