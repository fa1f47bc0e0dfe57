"""The length of the longest common subsequence of two texts, by bit-parallel dynamic programming (Hyyrö, 2004)."""


def common_length(left: str, right: str) -> int:
    """Return the number of characters in the longest common subsequence of two texts."""
    shorter, longer = sorted((left, right), key=len)
    positions: dict[str, int] = {}
    for position, character in enumerate(shorter):
        positions[character] = positions.get(character, 0) | 1 << position
    full = (1 << len(shorter)) - 1
    row = full
    for character in longer:
        matches = positions.get(character)
        if matches:
            hits = row & matches
            row = (row + hits | row - hits) & full
    return len(shorter) - row.bit_count()
