"""Learners as scikit-learn estimators, and their measures."""
