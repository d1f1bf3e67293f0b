"""From recorded games of Go to a network: `lessons` makes positions of games, `training` trains on them.

What a trained network does in the engine is `tesuji.go.knowledge.network`; the trainer itself, which knows no Go, is
`tesuji.learning.network`. See docs/howto/train-a-network.md.
"""
