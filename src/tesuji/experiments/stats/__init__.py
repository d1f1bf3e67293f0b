"""The numbers of matches: win rates, Elo, ratings, sequential tests, standings."""
