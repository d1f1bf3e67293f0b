"""What masters' games teach: a database of games, and knowledge that is made of it."""
