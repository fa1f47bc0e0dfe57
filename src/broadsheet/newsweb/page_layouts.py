"""The layouts of planned sites: parts put together in 24 different ways."""

from typing import get_args

from broadsheet.newsweb.site_plan import ArticleKind, CardKind, FrameKind, HeadKind, ListKind, PageLayout

#: How many layouts there are; every other one is for judging only.
NUMBER = 24

_FRAMES: tuple[FrameKind, ...] = get_args(FrameKind)
_LISTS: tuple[ListKind, ...] = get_args(ListKind)
_CARDS: tuple[CardKind, ...] = get_args(CardKind)
_ARTICLES: tuple[ArticleKind, ...] = get_args(ArticleKind)
_HEADS: tuple[HeadKind, ...] = get_args(HeadKind)


def _layout(number: int) -> PageLayout:
    # Steps without common divisors make all parts meet.
    return PageLayout(
        name=f"layout-{number + 1:02}",
        frame=_FRAMES[number % len(_FRAMES)],
        lists=_LISTS[number * 3 % len(_LISTS) if number % 2 else (number * 3 + 1) % len(_LISTS)],
        cards=_CARDS[number % len(_CARDS)],
        article=_ARTICLES[number * 2 % len(_ARTICLES)],
        head=_HEADS[number // 2 % len(_HEADS)],
        vocabulary=number,
    )


LAYOUTS = tuple(map(_layout, range(NUMBER)))
#: No rule or threshold may be chosen on sites with these.
JUDGING_LAYOUTS = LAYOUTS[1::2]
