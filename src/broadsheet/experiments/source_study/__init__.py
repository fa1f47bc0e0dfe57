"""The experiments of D'Onofrio's thesis (2018) on sites that were saved again and again."""

__all__ = [
    "costs_study",
    "dynamicity_study",
    "regime_study",
    "section_driven_study",
    "stability_study",
    "unlabelled_study",
    "voting_study",
]
