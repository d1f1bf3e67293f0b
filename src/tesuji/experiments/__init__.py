"""The laboratory: matches, ratings, sequential tests, tuning, on one machine or many.

Nothing is imported here, so that whoever needs one part loads that part only. Begin with `tesuji.experiments.run.match`
(`play_match`), `tesuji.experiments.run.spec` (`MatchSpec`, `read_spec`) and `tesuji.experiments.stats.elo`.
"""
