"""The services of planned sites: what kinds of pages they are, what real sites call them, and where they are."""

from dataclasses import replace
from random import Random
from typing import Literal

from broadsheet.newsweb._lexicon import NameAndSlug
from broadsheet.newsweb._slugs import slug
from broadsheet.newsweb.site import Site

#: The legal pages of every site.
LEGAL = ("imprint", "privacy", "terms")
ServiceKind = Literal["overview", "contact", "text", "login", "newsletter", "quiz"]
#: In turn, what the services of a site are.
SERVICE_KINDS: tuple[ServiceKind, ...] = (
    "overview",
    "contact",
    "login",
    "text",
    "newsletter",
    "contact",
    "quiz",
    "text",
)
#: The services of a site beside its legal pages.
BESIDE_LEGAL = 24
#: The share of pages that say in their title what they are for: of 99 real contact pages, of 96 real forms, and of 26
#: texts of real news sites that are not articles. For overviews and quizzes there are no pages to count.
NAMED: dict[ServiceKind, float] = {
    "overview": 0.65,
    "contact": 0.74,
    "text": 0.65,
    "login": 0.57,
    "newsletter": 0.57,
    "quiz": 0.65,
}


def _names(text: str) -> tuple[NameAndSlug, ...]:
    """Read names, each with the word in its address if that is another."""
    pairs = (name.partition("=") for name in text.split(", "))
    return tuple(NameAndSlug(name, address or slug(name)) for name, _, address in pairs)


#: What real sites call such pages.
NAMES: dict[str, dict[ServiceKind, tuple[NameAndSlug, ...]]] = {
    "en": {
        "overview": _names("Services, All services, Site index=sitemap"),
        "contact": _names("Contact, Contact us, Contact the newsroom, Feedback"),
        "text": _names(
            "About us=about, Help, Jobs, Advertise, FAQ, Press, Accessibility, Cookies, Licensing, Community rules"
        ),
        "login": _names("Login, Register, My account=account, Sign in=signin"),
        "newsletter": _names("Newsletter, Subscribe, E-mail alerts, Subscriptions"),
        "quiz": _names("Quiz, Crossword, Sudoku, Games"),
    },
    "de": {
        "overview": _names("Service, Alle Dienste, Inhalt=inhaltsverzeichnis"),
        "contact": _names("Kontakt, Redaktion, Leserservice, Feedback"),
        "text": _names(
            "Über uns=ueber-uns, Hilfe, Karriere, Mediadaten, FAQ, Presse, Barrierefreiheit, Cookies, Lizenzen, Regeln"
        ),
        "login": _names("Anmelden=login, Registrieren, Mein Konto=konto, Kundencenter"),
        "newsletter": _names("Newsletter, Abo, Newsletter bestellen, Abo bestellen"),
        "quiz": _names("Quiz, Kreuzworträtsel=kreuzwortraetsel, Sudoku, Spiele"),
    },
    "es": {
        "overview": _names("Servicios, Todos los servicios, Mapa web"),
        "contact": _names("Contacto, Atención al lector, Contacta con nosotros, Sugerencias"),
        "text": _names(
            "Quiénes somos, Ayuda, Empleo, Publicidad, FAQ, Prensa, Accesibilidad, Cookies, Código ético, Normas"
        ),
        "login": _names("Acceso, Registro, Mi cuenta, Iniciar sesión=login"),
        "newsletter": _names("Newsletter, Suscríbete=suscripcion, Boletines, Suscripciones"),
        "quiz": _names("Quiz, Crucigrama, Sudoku, Pasatiempos"),
    },
    "el": {
        "overview": _names("Υπηρεσίες, Όλες οι υπηρεσίες, Χάρτης=sitemap"),
        "contact": _names("Επικοινωνία=epikoinonia, Στοιχεία επικοινωνίας=contact, Σχόλια"),
        "text": _names(
            "Ποιοι είμαστε=about, Βοήθεια, Καριέρα, Διαφήμιση=diafimisi, FAQ, Τύπος, Προσβασιμότητα, Cookies, Κανόνες"
        ),
        "login": _names("Σύνδεση=login, Εγγραφή=register, Λογαριασμός=account"),
        "newsletter": _names("Newsletter, Συνδρομές, Ενημερωτικό δελτίο"),
        "quiz": _names("Κουίζ=quiz, Σταυρόλεξο, Sudoku, Παιχνίδια"),
    },
    "ru": {
        "overview": _names("Сервисы, Все сервисы, Карта сайта=sitemap"),
        "contact": _names("Контакты=contacts, Обратная связь=feedback, Редакция"),
        "text": _names("О нас=about, Помощь=help, Вакансии, Реклама, FAQ, Пресс-центр=press, Правила=rules, Cookies"),
        "login": _names("Регистрация=registration, Вход=login, Личный кабинет=account"),
        "newsletter": _names("Подписка, Рассылка, Подписка на новости=subscribe"),
        "quiz": _names("Тест, Кроссворд, Судоку, Игры"),
    },
    "ja": {
        "overview": _names("サービス=service, サービス一覧=services, サイトマップ=sitemap"),
        "contact": _names("お問い合わせ=contact, ご意見=feedback, 編集部=newsroom"),
        "text": _names(
            "会社概要=company, ヘルプ=help, 採用情報=recruit, 広告掲載=ad, よくある質問=faq, プレス=press, 規約=rule"
        ),
        "login": _names("ログイン=login, 会員登録=register, マイページ=mypage"),
        "newsletter": _names("ニュースレター=newsletter, メルマガ=mailmagazine, 購読=subscribe"),
        "quiz": _names("クイズ=quiz, クロスワード=crossword, 数独=sudoku, ゲーム=game"),
    },
}


def kind_of_service(number: int) -> ServiceKind:
    """Return what the service with this number is, counted from 0."""
    return SERVICE_KINDS[number % len(SERVICE_KINDS)]


def name_services(site: Site, rng: Random) -> Site:
    """Return a site that calls its services as real sites do, as often as they do."""
    if site.plan is None:
        return site
    names = NAMES[site.lexicon.language]
    left = {kind: list(of_kind) for kind, of_kind in names.items()}
    services = []
    for number, label in enumerate(site.plan.services):
        kind = kind_of_service(number)
        is_named = rng.random() < NAMED[kind]
        services.append(left[kind].pop(0).name if is_named and left[kind] else label)
    return replace(site, plan=replace(site.plan, services=tuple(services)))


def service_paths(site: Site) -> tuple[str, ...]:
    """Return where the services of a site are, by their names; no two are at the same path.

    The first ones are beside the legal pages, further ones in a folder for each kind.
    """
    names = NAMES[site.lexicon.language]
    known = {each.name: each.slug for of_kind in names.values() for each in of_kind}
    end = "/" if site.paths.front.endswith("/") else ""
    taken = {*LEGAL, *(section.slug for section in site.sections)}
    paths = []
    for number, name in enumerate(site.plan.services if site.plan else (), 1):
        word = known.get(name) or slug(name) or "service"
        if word in taken:
            word = f"{word}-{number}"
        taken.add(word)
        folder = names[kind_of_service(number - 1)][0].slug
        paths.append(site.paths.to_legal(word) if number <= BESIDE_LEGAL else f"/{folder}/{word}{end}")
    return tuple(paths)
