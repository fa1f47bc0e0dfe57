"""Words around names in bylines, in many languages. They are only used to strip bylines, never to recognize a name."""

from typing import Final

#: Words that introduce an author's name.
LEADS: Final = (
    "by", "posted by", "written by", "words by", "story by", "reported by", "article by", "author",
    "authors", "from", "text", "text by", "published by", "presented by", "compiled by", "source",
    "authored by", "contributed by", "articles by", "submitted by", "created by", "guest post by", "contributors",
    "this post was written by", "this article was written by", "more by", "all posts by", "view all posts by",
    "von", "verfasst von", "geschrieben von", "ein gastbeitrag von", "eine analyse von", "ein kommentar von",
    "ein bericht von", "interview von", "ein interview von", "kolumne von", "eine kolumne von", "artikel von",
    "ein artikel von", "beitrag von", "ein beitrag von", "blog beitrag von", "kommentar von", "text von",
    "erstellt von", "veröffentlicht von", "eingestellt von", "gespeichert von", "alles von", "aus",
    "autor", "autorin", "autoren",
    "par", "publié par", "écrit par", "un article de", "propos recueillis par", "texte",
    "auteur", "avec", "por", "escrito por", "publicado por", "escribe", "texto", "autora",
    "di", "da", "pubblicato da", "a cura di", "scritto da", "testo",
    "autore", "autori", "door", "geschreven door", "tekst", "auteurs", "af", "skrevet af", "av", "skriven av",
    "skrevet av", "kirjoittanut", "przez", "opracowanie", "opracował", "opracowała", "autorzy", "napsal", "napísal",
    "írta", "szerző", "scris de", "de", "yazan", "автор", "авторы", "текст", "беседовал", "беседовала", "автори",
    "του", "της", "από", "γράφει", "ditulis oleh", "oleh", "penulis", "bởi", "tác giả", "par la rédaction de",
    "كتب", "كتبت", "بقلم", "إعداد", "حوار", "الكاتب", "کاتب", "מאת", "द्वारा", "लेखक", "โดย",
    "作者", "文", "撰文", "执笔", "執筆", "撰稿", "记者", "記者", "執筆者", "著者", "投稿者", "この記事の筆者",
    "筆者", "取材・文", "ライター", "编辑", "編集", "来源", "글", "기자",
)  # fmt: skip
#: Leads that are mostly ordinary words.
PREPOSITIONS: Final = frozenset("from de da di aus av af avec text texte source του της από".split())
#: Words that introduce the name of another contributor.
OTHERS: Final = (
    "reviewed by", "medically reviewed by", "fact checked by", "fact-checked by", "edited by", "photo by",
    "photos by", "photography by", "photograph by", "illustration by", "illustrations by", "translated by",
    "video by", "graphic by", "image by", "foto", "fotos", "foto von", "bearbeitet von", "übersetzung",
    "übersetzt von", "geprüft von", "photo", "photos", "illustration", "traduit par", "traducción", "traduzione",
    "fotografía", "fotografia", "fotografie", "design",
    "фото", "перевод", "写真", "摄影", "攝影", "翻訳", "编译", "校对", "사진",
)  # fmt: skip
#: Words between two names.
ANDS: Final = tuple("and und et y e i og och en ja ve & with mit avec con a и та і και 和".split())
#: What leads on from a name to something else.
ENDS: Final = frozenset("on in at for and is the from of to par le a à am um im den il el em en på i w".split())
#: What follows a name in scripts that put it there.
SUFFIXES: Final = ("기자", "특파원", "記者", "记者", "編集部", "特派員", "さん", "氏")
#: Words that may be lower case inside a name.
PARTICLES: Final = frozenset(
    "af al av aus ben bin bint da dal dalla das de degli dei del della den der di do dos du e el en i ibn la las le lo"
    " los mac na ng of op san st ten ter the til to und v van vom von vor y zu zum zur".split()
)
#: Roles and desks of a newsroom: a name with one of these words is not a person's.
ROLES: Final = frozenset(
    """
    editor editors editorial writer writers reporter reporters correspondent journalist columnist contributor
    contributors contributing staff team admin administrator desk newsdesk newsroom author authors blogger producer
    photographer freelance freelancer intern senior junior chief director manager president founder ceo cto cfo vp
    analyst specialist expert strategist consultant professor lecturer fellow researcher attorney lawyer dietitian
    redaktion redakteur redakteurin reporterin korrespondent korrespondentin ressortleiter ressortleiterin autor
    autorin volontär volontärin chefredakteur rédaction journaliste rédacteur rédactrice redacción redacao redação
    redazione redactor redactora periodista corresponsal giornalista corrispondente redactie redacteur verslaggever
    redaktionen journalisten toimittaja toimitus redakcja redakce redakcia szerkesztőség редакция редактор
    корреспондент журналист muhabir editör redaksi penulis jurnalis copywriter marketing news media magazine press
    guest website webmaster
    전체기사 보기
    綜合報導 即時報導 责任编辑 責任編輯 编辑 編輯 moderator publisher updated published posted bio profile contact
    """.split()
)
#: Labels of forms, which comment forms mark like authors, and what stands where the name of an author is not known.
FORM_FIELDS: Final = frozenset(
    """
    name email login search website password username unknown anonymous anonym anonyme anónimo anonimo anônimo unbekannt
    inconnu desconocido аноним неизвестен 未知 佚名 匿名 不详
    """.split()
)
#: News agencies, with hyphens for spaces.
AGENCIES: Final = frozenset(
    """
    reuters afp ap apa dpa ansa efe sda sid kna epd ats belga anp ntb tt stt ritzau itar-tass tass ria interfax unian
    xinhua kyodo yonhap pti ani ians aap bloomberg upi cna pa press-association associated-press the-associated-press
    agence-france-presse agencia-efe europa-press agencias agenturen lusa cp the-canadian-press canadian-press
    keystone-sda adnkronos agi lapresse mti ctk čtk pap tasr beta tanjug hina sta bta agerpres ukrinform belta
    anadolu-agency anadolu-ajansı iha dha antara bernama cnn-wire afp-relaxnews deutsche-presse-agentur
    """.split()
)
#: Words in the names of companies and institutions.
COMPANIES: Final = (
    *"inc ltd llc gmbh corp co s.a s.r.o plc group institute university association agency".split(),
    "sp. z o.o",
)
