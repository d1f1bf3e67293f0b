"""One game: its opening, its board and clocks, the referee, who won, the game as text."""
