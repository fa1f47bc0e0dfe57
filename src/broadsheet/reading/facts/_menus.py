"""Menus: the elements that are one, and the words that lead through a site rather than name a page of it."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from broadsheet.document import Document

#: The number of ancestors that may be a menu by their role or name.
_LEVELS: Final = 6
#: The least share of the characters of a menu in links. A header that is named like one may hold the headline, too.
_MIN_LINK_SHARE: Final = 0.5
_ROLES: Final = frozenset(("navigation", "menu", "menubar", "search"))
_WORD: Final = re.compile(r"\w+")
_NAMES: Final = re.compile(r"(?:^|[-_])(?:nav|navbar|navigation|menus?|breadcrumbs?)(?:$|[-_])", re.IGNORECASE)

#: The names of menus and of their usual entries, in plain words.
NAVIGATION: Final = frozenset(
    " ".join(_WORD.findall(phrase))
    for phrase in """
    menu, main menu, site menu, menu principal, menú, menú principal, menu główne, hauptmenü, hovedmenu, huvudmeny,
    meny, menü, ana menü, menyu, valikko, päävalikko, hlavní menu, hlavné menu, főmenü, меню, главное меню,
    головне меню, основно меню, μενού, κεντρικό μενού, القائمة, القائمة الرئيسية, תפריט, תפריט ראשי, منو, 菜单,
    主菜单, 選單, 主選單, メニュー, 메뉴, 메인 메뉴, เมนู, मेन्यू, मुख्य मेन्यू, trình đơn, navigation,
    main navigation, site navigation, primary navigation, secondary navigation, footer navigation, hauptnavigation,
    navigation principale, navegación, navegación principal, navegação, navigazione, navigatie, nawigacja,
    навигация, навігація, πλοήγηση, 导航, 網站導覽, ナビゲーション, 내비게이션, home, homepage, home page,
    startseite, accueil, page d accueil, inicio, página de inicio, página principal, início, página inicial,
    pagina iniziale, pagina principale, startpagina, startsida, startside, forside, forsiden, etusivu,
    strona główna, úvod, úvodní stránka, domů, domov, kezdőlap, címlap, acasă, prima pagină, početna, naslovnica,
    начало, главная, главная страница, головна, головна сторінка, αρχική, αρχική σελίδα, ana sayfa, anasayfa,
    الرئيسية, الصفحة الرئيسية, דף הבית, ראשי, صفحه اصلی, خانه, 首页, 首頁, 主页, 主頁, ホーム, トップページ, 홈,
    หน้าแรก, होम, trang chủ, beranda, laman utama, search, search results, site search, suche, suchen,
    suchergebnisse, recherche, rechercher, buscar, búsqueda, busca, pesquisa, pesquisar, cerca, ricerca, zoeken,
    sök, søk, søg, haku, hae, szukaj, wyszukiwarka, hledat, hľadať, keresés, căutare, caută, pretraga, търсене,
    поиск, пошук, αναζήτηση, ara, arama, بحث, البحث, חיפוש, جستجو, 搜索, 搜尋, 検索, 검색, ค้นหา, खोज, tìm kiếm,
    cari, pencarian, login, log in, sign in, sign up, log out, logout, register, my account, anmelden, einloggen,
    registrieren, mein konto, connexion, se connecter, s inscrire, mon compte, iniciar sesión, entrar, regístrate,
    mi cuenta, accedi, inloggen, logga in, logg inn, log ind, kirjaudu, zaloguj, zaloguj się, přihlásit se,
    bejelentkezés, вход, войти, увійти, σύνδεση, giriş, giriş yap, تسجيل الدخول, התחברות, 登录, 登入, ログイン,
    로그인, เข้าสู่ระบบ, đăng nhập, masuk, subscribe, share, share this, print, skip to content,
    skip to main content, you are here, back to top, read more, zum inhalt springen, sie sind hier,
    aller au contenu, vous êtes ici, ir al contenido, estás aquí, saltar al contenido
    """.split(",")
)  # fmt: skip


def is_navigation(plain: str) -> bool:
    """Return whether plain words are the name of a menu or of one of its usual entries, or several of these."""
    return plain in NAVIGATION or (plain != "" and NAVIGATION.issuperset(plain.split()))


def in_menus(document: Document) -> Callable[[int], bool]:
    """Return a function that tells whether a node is part of a menu, as the tag, role or name of an element says."""
    nodes, known = document.nodes, dict[int, bool]()
    parent_of, navs = nodes.parent.item, document.rows("nav")
    ranges = list(zip(navs.tolist(), nodes.end.take(navs).tolist(), strict=True))

    def is_menu(node: int) -> bool:
        if node not in known:
            known[node] = _is_named_so(document, node) and _is_links(document, node)
        return known[node]

    def is_in_menu(node: int) -> bool:
        if any(start < node < end for start, end in ranges):
            return True
        for _ in range(_LEVELS):
            if node < 0:
                break
            if is_menu(node):
                return True
            node = parent_of(node)
        return False

    return is_in_menu


def _is_named_so(document: Document, node: int) -> bool:
    attribute = document.attribute
    return any(
        value is not None and is_menu_by(value)
        for is_menu_by, value in (
            (_names_menu, attribute(node, "class")),
            (_names_menu, attribute(node, "id")),
            (_has_role, attribute(node, "role")),
        )
    )


# Cached because the pages of a site share their names.
@lru_cache(maxsize=65_536)
def _names_menu(names: str) -> bool:
    return any(map(_NAMES.search, names.split()))


@lru_cache(maxsize=1_024)
def _has_role(roles: str) -> bool:
    return not _ROLES.isdisjoint(roles.lower().split())


def _is_links(document: Document, node: int) -> bool:
    sums, nodes = document.sums, document.nodes
    first, end = nodes.piece_start.item(node), nodes.piece_end.item(node)
    characters = sums.characters.item(end) - sums.characters.item(first)
    return sums.link_characters.item(end) - sums.link_characters.item(first) >= _MIN_LINK_SHARE * characters
