"""The steps of a round: visit, classify, collect, update."""
