import pytest

from broadsheet.newsweb._slugs import slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Port Averne to get its sea wall", "port-averne-to-get-its-sea-wall"),
        ("What’s next, exactly?", "what-s-next-exactly"),
        ("Τι αλλάζει με τη νέα γέφυρα στη Σκάλα", "ti-allazei-me-ti-nea-gefyra-sti-skala"),
        ("Θάλασσα, Χώρα, Ψάρι", "thalassa-chora-psari"),
        ("灯台博物館の計画", ""),
        ("総工費、40億円に", ""),
        ("one two three four five six seven eight nine", "one-two-three-four-five-six-seven-eight"),
    ],
)
def test_words_become_slugs(text: str, expected: str) -> None:
    assert slug(text) == expected
