"""Learning from play: what games teach is kept and used by later ones.

Nothing here knows a particular game; what is of Go is in `tesuji.go`.
"""
