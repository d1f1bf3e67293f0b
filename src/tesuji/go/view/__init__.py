"""Boards to look at: in a terminal, as pictures and charts; the demo."""
