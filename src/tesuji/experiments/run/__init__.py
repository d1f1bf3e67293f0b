"""Many games: specs, schedules, workers, the store, a whole match and its progress."""
