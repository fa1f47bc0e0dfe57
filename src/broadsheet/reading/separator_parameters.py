"""The parameters of the separator reader."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeparatorParameters:
    """NCE's parameters, tuned on the training sites because no values are published.

    - `alpha_1`, `alpha_2`: the minimum and maximum length of a comment, in characters.
    - `beta_1`: a sibling with a lower link density and more than `beta_3` characters is a rival.
    - `beta_2`: the minimum length of a separator's text, in characters.
    - `beta_3`: the minimum length of the text at which the search starts, in characters.
    - `beta_4`: the maximum link density of a relevant child of the separator.
    - `beta_5`: the maximum distance between two comments that are compared, in positions.
    - `beta_6`: the minimum length of their longest common subsequence, as a share of the shorter text.
    - `members`: the number of similar neighbours that make a comment section.
    - `least_before`: the minimum share of the forest's text before a comment section.
    - `boxes_alone`: only elements other than `p` may be comments; paragraphs and bare text are not compared.
    - `as_longer`: compare the common subsequence with the longer of the two texts.
    - `most_pairs`: the maximum number of pairs compared, which bounds the time per page.
    """

    alpha_1: int = 40
    alpha_2: int = 800
    beta_1: float = 0.1
    beta_2: int = 1500
    beta_3: int = 150
    beta_4: float = 0.4
    beta_5: int = 1
    beta_6: float = 0.95
    members: int = 3
    least_before: float = 0.0
    boxes_alone: bool = False
    as_longer: bool = False
    most_pairs: int = 200


PUBLISHED = SeparatorParameters()
#: A short text is nearly always a subsequence of a long one, so only texts of similar length match, and nothing is cut
#: if hardly any text would remain.
TUNED = SeparatorParameters(
    alpha_1=20, alpha_2=300, beta_1=0.2, beta_2=1000, beta_3=120, beta_4=0.6, beta_5=3, beta_6=0.75,
    least_before=0.3, boxes_alone=True, as_longer=True,
)  # fmt: skip
