"""The longest common subsequence of two texts, in bits that are worked on side by side (Hyyrö, 2004)."""


def common_length(one: str, other: str) -> int:
    """Return the number of characters in the longest subsequence that two texts share."""
    if len(one) > len(other):
        one, other = other, one
    places: dict[str, int] = {}
    for place, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << place
    full = (1 << len(one)) - 1
    row = full
    for character in other:
        matches = places.get(character)
        if matches:
            met = row & matches
            row = (row + met | row - met) & full
    return len(one) - row.bit_count()
