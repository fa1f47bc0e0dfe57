"""What the separator reader can be told."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeparatorParameters:
    """NCE's two families of parameters; no value is published, these were tuned on the training sites.

    - `alpha_1`, `alpha_2`: the least and most characters of what may be a comment.
    - `beta_1`: a sibling with a link density below this, and more than `beta_3` characters, is a rival.
    - `beta_2`: the least characters of a separator's text.
    - `beta_3`: the least characters of the text from which the search begins.
    - `beta_4`: the highest link density of a child of the separator that is relevant.
    - `beta_5`: how many positions apart two comments may be to be compared.
    - `beta_6`: the least length of their longest common subsequence, as a share of the shorter text.
    - `members`: how many similar neighbours make a comment section.
    - `least_before`: the share of the forest's text that must stand before a comment section.
    - `boxes_alone`: only elements other than `p` may be comments; paragraphs and bare text are not compared.
    - `as_longer`: hold the common subsequence against the longer text of the two.
    - `most_pairs`: pairs beyond these many are not compared, so that no page takes long.
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
#: A short text is nearly always a subsequence of a long one, so equally long ones alone are compared, and nothing is
#: cut where hardly anything would be left.
TUNED = SeparatorParameters(
    alpha_1=20, alpha_2=300, beta_1=0.2, beta_2=1000, beta_3=120, beta_4=0.6, beta_5=3, beta_6=0.75,
    least_before=0.3, boxes_alone=True, as_longer=True,
)  # fmt: skip
