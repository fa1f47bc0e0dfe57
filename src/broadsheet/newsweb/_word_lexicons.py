"""The six languages of the word models: English, German, Spanish, Greek, Russian and Japanese."""

from dataclasses import fields

from broadsheet.newsweb._english import ENGLISH
from broadsheet.newsweb._greek import GREEK
from broadsheet.newsweb._japanese import JAPANESE
from broadsheet.newsweb._lexicon import Interface, Lexicon, NameAndSlug
from broadsheet.newsweb._slugs import slug
from broadsheet.newsweb._word_model import WordLexicon, WordModel

_LATIN_MARKS = (",", ".", "“", "”")

_ENGLISH = WordModel(
    syllables=tuple(
        "har bour ter ling ment wick shore pol is cy mar ket trad er gov ern tion rail way coun cil dis trict found re"
        " port sav ing cour rent lev el stan dard win ter sum mer vot ing bud get clin ic row ton gar den mil ler ston"
        " field ham ford bur den cal low pen der ash lock ver sel thorn lin ger".split()
    ),
    lengths=(0.12, 0.5, 0.3, 0.08),
    small=tuple(
        "the of to and a in that is for on with was as at by it from be are this an has have not but were which they"
        " will more after would their been its who had said over also about out up into new than could when".split()
    ),
    words=20,
    marks=_LATIN_MARKS,
)
_GERMAN = WordModel(
    syllables=tuple(
        "hafen stadt rat bahn ver trag schul werk haus halt regel ung heit keit ge meind lich er steu land kreis wahl"
        " kampf zeit be richt markt preis ent wick lung an ge bot wirt schaft poli tik freund stell ung bau amt ord"
        " nung sicher heits fahr zeug kosten nach frage ober mann berg tal bach furt stein".split()
    ),
    lengths=(0.08, 0.36, 0.38, 0.18),
    small=tuple(
        "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat"
        " dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor".split()
    ),
    words=16,
    marks=(",", ".", "„", "“"),
    names=0.75,
)
_SPANISH = WordModel(
    syllables=tuple(
        "puer to ciu dad go bier no mer ca do co mi sión par ti do pro yec to se gu ri ca rre te ra mi nis tro pre si"
        " den cia re for ma tra ba jo es cue la ve ci no ho gar cam pa ña de fen sa jui cio fun da ción mar tín vi lla"
        " rio sa lud a gua ne go cio ban co".split()
    ),
    lengths=(0.03, 0.25, 0.42, 0.3),
    small=tuple(
        "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin"
        " sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está".split()
    ),
    words=24,
    marks=(",", ".", "«", "»"),
)
_GREEK = WordModel(
    syllables=tuple(
        "λι μά νι πό λη κυ βέρ νη ση οι κο νο μί α πρό γραμ μα σχέ διο α γο ρά πο λι τι κή δή μος συμ βού λιο έρ γο"
        " ερ γα σί α δρό μος σχο λεί ο νο σο κο μεί ο τι μή κα τοί κων υ πουρ γός ε κλο γές τα μεί ο α πό φα ση θά"
        " λασ σα νη σί βου νό χω ριό πα ρα λί α".split()
    ),
    lengths=(0.02, 0.22, 0.42, 0.34),
    small=tuple(
        "και το να του η της με που την από για είναι στο τα των ο οι σε στην θα τον δεν ότι στη τη ένα μια αυτό έχει"
        " κατά αλλά τους στα μετά όπως ως πριν πιο μας τις έναν αυτή μόνο αν ήταν χωρίς".split()
    ),
    words=20,
    marks=(",", ".", "«", "»"),
    question=";",
)
_RUSSIAN = WordModel(
    syllables=tuple(
        "го род пра ви тель ство ры нок мо ре пор та ва но вос ти ре фор ма шко ла боль ни ца ми нис тер ство за кон"
        " про ект до ро га вы бо ры бюд жет со вет жи те ли ра бо та це на строй ка суд ком па ния ре ги он о бласть"
        " пре зи дент то вар бе рег пло щадь".split()
    ),
    lengths=(0.04, 0.26, 0.42, 0.28),
    small=tuple(
        "в и на не что с по он как это из у за от его но к для же все так о а был при до во они она мы или бы если"
        " том уже еще под был чтобы после также более может году время было были".split()
    ),
    words=17,
    marks=(",", ".", "«", "»"),
)
_JAPANESE = WordModel(
    syllables=tuple(
        "港 市 政 府 経 済 計 画 開 発 住 民 議 会 学 校 道 路 工 事 選 挙 予 算 地 域 海 岸 病 院 会 社 市 場 価 格"
        " 調 査 報 告 決 定 問 題 対 策 支 援 活 動 新 聞 大 臣 知 事 交 通 環 境 安 全 事 業 生 産 輸 出 観 光 文 化"
        " カ ラ ン ト リ ス テ ム ロ".split()
    ),
    lengths=(0.1, 0.62, 0.2, 0.08),
    small=tuple(
        "の に は を た が で て と し れ さ ある いる も する から な こと として い や など なっ ない この ため その"
        " あっ よう また もの という あり まで られ なる へ か だ これ によって により おり より による".split()
    ),
    words=22,
    marks=("、", "。", "「", "」"),
    space="",
    names=0.0,
    question="？",
)


def _sections(names: str) -> tuple[NameAndSlug, ...]:
    pairs = (pair.partition("=") for pair in names.split(", "))
    return tuple(NameAndSlug(name, address or slug(name)) for name, _, address in pairs)


_DE = Lexicon(
    language="de",
    slots={},
    headlines=(),
    standfirsts=(),
    sentences=(),
    crossheads=(),
    authors=("Jonas Albrink", "Mareike Sund", "Till Osterkamp", "Hanne Lohse", "Ruth Wiebald", "Karsten Mohl"),
    months=tuple("Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()),
    date="{day}. {month} {year}, {time} Uhr",
    space=" ",
    correction="In einer früheren Fassung stand hier eine falsche Zahl; wir haben sie berichtigt.",
    clauses=(
        "Diese Bedingungen gelten für jede Nutzung der Seiten.",
        "Texte und Bilder gehören der Zeitung oder ihren Partnern.",
        "Wir speichern Angaben nur so lange, wie wir sie brauchen.",
        "Kommentare werden gelesen, bevor sie erscheinen.",
        "Über Streitfälle entscheiden die Gerichte am Sitz des Verlags.",
    ),
    mastheads=_sections("Uferpost, Hafenkurier, Neue Deichzeitung, Tagblatt am Sund"),
    sections=_sections(
        "Politik, Wirtschaft, Panorama, Sport, Kultur, Wissen, Regionales, Reise, Gesundheit, Netzwelt, Auto, Meinung,"
        " Ausland, Karriere, Garten, Familie"
    ),
    offset=1,
    charset="windows-1252",
    interface=Interface(
        "Startseite", "Von", "Aktualisiert", "Meistgelesen", "Mehr zum Thema", "Artikel teilen", "Weiterlesen",
        "Neueste Meldungen", "Impressum", "Datenschutz", "Nutzungsbedingungen", "Diese Seite gibt es nicht",
    ),
)  # fmt: skip
_ES = Lexicon(
    language="es",
    slots={},
    headlines=(),
    standfirsts=(),
    sentences=(),
    crossheads=(),
    authors=("Lucía Barranco", "Mateo Sorel", "Inés Caldera", "Raúl Montejo", "Clara Vidueira"),
    months=tuple("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()),
    date="{day} de {month} de {year}, {time}",
    space=" ",
    correction="Una versión anterior de este texto contenía una cifra equivocada, ya corregida.",
    clauses=(
        "Estas condiciones rigen el uso de este sitio.",
        "Los textos y las fotografías pertenecen al periódico o a sus colaboradores.",
        "Guardamos los datos solo el tiempo necesario.",
        "Los comentarios se leen antes de publicarse.",
        "Los tribunales de nuestra sede resuelven los litigios.",
    ),
    mastheads=_sections("El Faro del Norte, Diario de la Ría, La Voz del Muelle, Crónica Costera"),
    sections=_sections(
        "España, Internacional, Economía, Deportes, Cultura, Ciencia, Sociedad, Opinión, Tecnología, Salud, Viajes,"
        " Sucesos, Educación, Moda, Motor, Televisión"
    ),
    offset=1,
    charset="windows-1252",
    interface=Interface(
        "Portada", "Por", "Actualizado", "Lo más leído", "Noticias relacionadas", "Compartir", "Leer más",
        "Última hora", "Aviso legal", "Privacidad", "Condiciones de uso", "Esta página no existe",
    ),
)  # fmt: skip
_RU = Lexicon(
    language="ru",
    slots={},
    headlines=(),
    standfirsts=(),
    sentences=(),
    crossheads=(),
    authors=("Вера Полянская", "Глеб Ручьёв", "Нина Заречная", "Павел Бережков"),
    months=tuple("января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()),
    date="{day} {month} {year}, {time}",
    space=" ",
    correction="В предыдущей версии текста была ошибка в цифрах; она исправлена.",
    clauses=(
        "Эти условия действуют при любом использовании сайта.",
        "Тексты и снимки принадлежат редакции или её партнёрам.",
        "Мы храним данные не дольше, чем это нужно.",
        "Комментарии читают до публикации.",
        "Споры решает суд по месту нахождения редакции.",
    ),
    mastheads=_sections("Вестник залива, Береговая правда, Новости маяка, Речной край"),
    sections=_sections(
        "Политика, Экономика, Общество, Спорт, Культура, Наука, Мир, Происшествия, Технологии, Здоровье, Авто,"
        " Недвижимость, Образование, Мнения, Регионы, Туризм"
    ),
    offset=3,
    charset="windows-1251",
    interface=Interface(
        "Главная", "Автор:", "Обновлено", "Самое читаемое", "Читайте также", "Поделиться", "Читать дальше",
        "Последние новости", "О редакции", "Конфиденциальность", "Условия использования", "Такой страницы нет",
    ),
)  # fmt: skip
_MORE_SECTIONS = {
    "en": _sections("World, Politics, Health, Travel, Education, Opinion, Technology, Property, Food, Weather"),
    "el": _sections("Πολιτική, Κόσμος, Υγεία, Ταξίδια, Παιδεία, Γνώμες, Τεχνολογία, Επιστήμη, Γεύση, Καιρός"),
    "ja": _sections(
        "政治=seiji, 国際=kokusai, 社会=shakai, 科学=kagaku, 健康=kenko, 旅行=ryoko, 教育=kyoiku, 意見=iken,"
        " 技術=gijutsu, 天気=tenki"
    ),
}


def _with_words(lexicon: Lexicon, model: WordModel, pace: float = 48.0) -> WordLexicon:
    values = {field.name: getattr(lexicon, field.name) for field in fields(Lexicon)}
    values["sections"] = (*lexicon.sections, *_MORE_SECTIONS.get(lexicon.language, ()))
    return WordLexicon(**values, model=model, pace=pace)


WORD_LEXICONS = (
    _with_words(ENGLISH, _ENGLISH),
    _with_words(_DE, _GERMAN),
    _with_words(_ES, _SPANISH),
    _with_words(GREEK, _GREEK),
    _with_words(_RU, _RUSSIAN),
    _with_words(JAPANESE, _JAPANESE),
)
