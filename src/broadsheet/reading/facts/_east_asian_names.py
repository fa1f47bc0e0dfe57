"""Names on pages in Chinese, Japanese and Korean, which are written without spaces and capitals.

What tells them from other words are their surnames, and the titles around them: of reporters, editors and sources.
"""

import re
from typing import Final

#: The surnames of nineteen in twenty Chinese, simplified and traditional. Many words begin like a surname, too.
_CHINESE_SURNAMES: Final = frozenset(
    "王李张張刘劉陈陳杨楊黄黃赵趙周吴吳徐孙孫朱马馬胡郭林何高梁郑鄭罗羅宋谢謝唐韩韓曹许許邓鄧萧蕭冯馮曾程蔡彭潘袁于董余苏蘇"
    "叶葉吕呂魏蒋蔣田杜丁沈姜范江傅钟鍾卢盧汪戴崔任陆陸廖姚方金邱夏谭譚韦韋贾賈邹鄒石熊孟秦阎閻薛侯雷白龙龍段郝孔邵史毛常万"
    "萬顾顧赖賴武康贺賀严嚴尹钱錢施牛洪龚龔汤湯陶黎温溫莫易樊乔喬文安殷颜顏庄莊章鲁魯倪庞龐邢俞翟蓝藍聂聶齐齊向申葛柴伍覃"
    "骆駱关關焦柳欧歐祝纪紀尚毕畢耿芦左季管符辛苗詹曲祁路涂甘裴包卜单單柯阮桂滕裘简簡游麦麥卓蒙连連房宁寧池岳鲍鮑霍项項储"
    "儲费費车車沙凌宫宮娄婁戚窦竇臧成梅盛童解饶饒闫褚艾仇查明牟屈佟冉匡宗古姬巩鞏席时敖荣榮靳"
)
_CHINESE_PAIRS: Final = frozenset(("欧阳", "歐陽", "司马", "司馬", "上官", "诸葛", "諸葛", "东方", "東方", "皇甫"))
_KOREAN_SURNAMES: Final = frozenset(
    "김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반라왕금옥육인맹제"
)
#: Given names have one or two letters.
_SHORTEST, _LONGEST = 2, 3

_HAN = r"[\u4e00-\u9fff]{2,4}"
_HAN_NAMES = rf"{_HAN}(?:\s?[、&＆ ]\s?{_HAN}){{0,3}}"
_CHINESE_NAMES = re.compile(r"[\u4e00-\u9fff]{2,3}(?: [\u4e00-\u9fff]{2,3}){1,3}")
#: What a line has that names its reporter.
_REPORTERS: Final = "记者|記者|作者|撰文|执笔|執筆|報導|报道|撰稿|采写|文/|文／|기자|특파원"
#: Find cheaply what may name a reporter.
names_reporter: Final = re.compile(_REPORTERS).search
names_reporter_in_bytes: Final = re.compile(_REPORTERS.encode()).search
#: A reporter's title with a Chinese or a Korean name anywhere in a line: "本報訊(記者劉立春)", "경제부 나윤석 기자". In
#: running text other words stand there ("记者表示"), so that separators have to be around them.
_REPORTED = re.compile(
    rf"(?:(?:(?:记者|記者|作者|撰文|执笔|執筆|采写|採訪撰稿)[\s:：/／|]{{1,5}}|(?<![\u4e00-\u9fff])文\s?[:：/／｜]\s?"
    rf"|(?:\A|[(（【◎／|])\s?[\u4e00-\u9fff]{{0,6}}?(?:记者|記者)[\s|]{{0,3}})({_HAN_NAMES})(?=[)）】／/╱|\s]|\Z))"
    rf"|[（(【](?!综合|綜合)({_HAN})\s?(?:[／/╱]\s?(?:{_HAN})?)?(?:綜合)?(?:報導|报道)[)）】]"
    rf"|[（(]\s?({_HAN_NAMES})\s?撰[稿文]\s?[)）]"
    r"|(?<![\uac00-\ud7af])([\uac00-\ud7af]{2,4})\s?(?:기자|특파원)(?![\uac00-\ud7af])"
)
#: What stands among the names after a reporter's title: titles of others, whose names follow, and places.
_OTHERS = re.compile(
    r"[、&＆ ]?\s?(?:通讯员|通訊員|实习生|實習生|摄影|攝影|整合|编辑|編輯|责编|責編|[台臺]北|高雄|台中).*"
)
#: A place and "reports" after the names of reporters: "邱雯琪 羅執中 台北報導".
_DATELINE = re.compile(r"[\s／/╱]\s?[\u4e00-\u9fff]{0,4}(?:報導|报道)\Z")
#: How the names of newspapers, broadcasters, desks and sources end.
_ORGANISATION = re.compile(
    r"(?:[\u4e00-\u9fff]{2}(?:[网網报報社]|日[报報])|[\u3040-\u30ff\u4e00-\u9fff]{3}[部局院组組台臺会會]"
    r"|[\u4e00-\u9fff]{2}(?:中心|整理|[综綜]合)"
    r"|新聞|通信|放送|編集部|신문|일보|뉴스|방송|통신)\Z"
)
#: The signal of the name of an editor.
EDITOR: Final = "after an editor's title"
#: Titles right before the names of editors, of sources, and of reporters.
_TITLES: Final = {
    EDITOR: tuple("编辑 編輯 責編 责编 校对 校對 編集 편집 审核 監製".split()),
    "after a source's title": tuple("来源 來源 稿源 出处 出處 转自 提供".split()),
    "after a reporter's title": tuple("记者 記者 作者 撰文 文 执笔 執筆 撰稿 采写".split()),
}
#: The bytes before a name that may be a title and separators.
_TITLE_BYTES: Final = 48
_BETWEEN: Final = " \t\r\n\u3000:：|/／[【(（"


def has_chinese_surname(word: str) -> bool:
    """Tell whether a word could be a Chinese name: a surname and one or two more letters."""
    size = len(word)
    if _LONGEST <= size <= _LONGEST + 1 and word[:2] in _CHINESE_PAIRS:
        return True
    return _SHORTEST <= size <= _LONGEST and word[0] in _CHINESE_SURNAMES


def has_korean_surname(word: str) -> bool:
    """Tell whether a word could be a Korean name: a surname and one or two more syllables."""
    return _SHORTEST <= len(word) <= _LONGEST and word[0] in _KOREAN_SURNAMES


def ends_like_organisation(name: str) -> bool:
    """Tell whether a name in Chinese, Japanese or Korean letters ends like that of a newspaper, a desk or a source."""
    return not name.isascii() and any(map(_ORGANISATION.search, name.split()))


def reported_by(text: str) -> str | None:
    """Return the Chinese or Korean names that a reporter's title introduces within a line."""
    match = None if text.isascii() else _REPORTED.search(text)
    if match is None:
        return None
    group = match.lastindex or 1
    names = re.split("[、&＆ ]+", _OTHERS.sub("", match[group]).strip())
    if "|" in text[match.start() : match.start(group)]:
        # The title may be empty, and what follows the next text of the line.
        names = list(filter(has_chinese_surname, names))
    return "、".join(names) or None


def without_dateline(text: str) -> str:
    """Remove a place and "reports" from the end of a Chinese byline."""
    return text if text.isascii() else _DATELINE.sub("", text)


def split_chinese(name: str) -> list[str]:
    """Split Chinese names that are separated by spaces only; in Japanese, a space is within a name."""
    return name.split() if _CHINESE_NAMES.fullmatch(name) else [name]


def title_before(text: bytes, name: bytes) -> str | None:
    """Return the signal of a title right before the first place where a name is shown."""
    at = text.find(name)
    before = text[max(0, at - _TITLE_BYTES) : at].decode(errors="ignore").rstrip(_BETWEEN)
    return next((signal for signal, titles in _TITLES.items() if before.endswith(titles)), None)
