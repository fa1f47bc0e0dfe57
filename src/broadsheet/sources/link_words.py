"""Words by which links offer a service of the site instead of news: accounts, help, legal notes, shops, tools, games.

Weak evidence in many languages, weighed by the model of links. The words are general vocabulary; none was taken from
the address or the layout of a particular site.
"""

import re
import unicodedata
from functools import lru_cache

#: Texts are truncated to this many characters.
MAX_TEXT = 100

_LATIN_AND_OTHERS = """
    about abuse accessibility account accounts ads adchoices advertise advertisers advertising advertisement affiliate
    affiliates alerts app apps bingo bookmarks bookshop calculators
    captioning captions career careers casino classified classifieds complain complaint complaints
    conditions contact contacts contest contests cookie cookies copyright correction corrections coupon
    coupons crossword crosswords deals disclaimer dmca donate donation download downloads email epaper
    faq faqs feed feeds feedback forum forums frequencies gdpr giveaway guestbook guidelines help hiring horoscope
    horoscopes hotline imprint instagram internship internships investor jobs legal licence license licensing
    linkedin listings login logout lottery mail masthead mediakit membership memberships newsletter
    newsletters notification notifications obituaries ombudsman password paywall permissions pinterest policies policy
    preferences privacy promo puzzles register registration reprints rss schedule schedules search settings shop
    shopping sign signin signup sitemap staff standards statement store subscribe subscriber subscribers
    subscription subscriptions sudoku support syndication terms tickets tos transparency twitter unsubscribe
    voucher vouchers weather widget widgets youtube facebook whatsapp telegram webmail
    abo abos abonnement abonnements abonnieren abonnent abonnenten agb anmelden anmeldung anzeige anzeigen
    anzeigenmarkt apotheke barrierefreiheit bestellen datenschutz datenschutzerklarung einloggen einstellungen
    gewinnspiel gewinnspiele gutschein gutscheine haftungsausschluss heft hilfe horoskop impressum inserieren
    jobborse jugendschutz karriere kleinanzeigen kontakt konto kreuzwortratsel kundenservice kundigen kundigung
    lotto mediadaten merkliste netiquette nutzungsbedingungen partnersuche passwort preisvergleich
    ratsel rechner registrieren routenplaner spiele stellenangebote stellenmarkt suche testen tarife
    tvprogramm verkaufsstellen vergleich vertrag werben werbung wetter widerruf widerrufsbelehrung zustellung
    abonne abonnes abonner abonnez aide annonce annonces annonceurs apropos avantages boite boutique cgu cgv charte
    concours confidentialite connecter connexion coordonnees courriel credits desabonner deconnexion
    donnees emploi emplois frequence frequences gerer gestion grille infolettre
    infolettres inscription inscrire jeu jeux kiosque legales legaux lettre loterie mentions mesinfos meteo
    numerique oubli parametres parrainage partenaires personnelles
    programme propos publicitaire publicite publicites recherche recrutement reglement regie sabonner signaler
    sinscrire telecharger temoins utilisation vieprivee
    abonneer adverteren adverteerders bezorging colofon contactgegevens gebruiksvoorwaarden inloggen
    klantenservice kruiswoordpuzzel lezersservice nieuwsbrief nieuwsbrieven privacybeleid puzzels tvgids
    vacatures voorwaarden weer zoeken
    abbonamenti abbonamento abbonarsi abbonati accedi aiuto annunci assistenza bandi cerca concorsi condizioni
    contatti gerenza informativa lavoro necrologie oroscopo preferenze pubblicita registrati ricerca
    scarica termini tessera
    acceso accesibilidad accede anunciarse anunciate anuncie anuncios aviso avisos ayuda boletin boletines
    bolsa buscar
    buscador busqueda calculadora cartelera clasificados comunidad condiciones configuracion contactanos contacte
    contactenos contacto contratar correo crucigramas cuenta cupones declaracion defuncion descargar descuentos
    descuento devoluciones edictos empleo entradas esquelas farmacias gestionar guia horoscopo horoscopos
    impresa iniciar juegos loteria loterias ofertas pasatiempos preguntas privacidad programacion proteccion
    publicidad quejas quienes reclamaciones registrarse registrate registro responsabilidad servicios sesion
    solicitar sorteo sorteos suscribase suscribete suscribir suscribirse suscripcion suscripciones suscriptor
    suscriptores terminos tarifas tienda trabaja trabajo traductor
    ajuda assinante assinantes assinatura assinar assine busca cadastro concursos contato contatos cupom
    descontos empregos entrar expediente jogos loja palavras privacidade publicidade sobre termos
    annonsera annonsor bokmarken integritetspolicy kakor kontakta korsord kundtjanst kundservice logga losenord
    nyhetsbrev prenumerera prenumeration sok tipsa vader villkor
    abonnere annonse annonsere annoncer betingelser hjelp hjaelp informasjonskapsler kryssord kundeservice
    logg nyhedsbrev personvern personvernerklaering privatlivspolitik soek sog stillinger vaer vejr vilkar
    asiakaspalvelu ehdot evasteet haku hae ilmoitukset kayttoehdot kirjaudu mediatiedot mediakortti ristikot saa
    tietosuoja tietosuojaseloste tilaa tyopaikat uutiskirje yhteystiedot
    dane haslo krzyzowki logowanie ogloszenia oferty ochrona pogoda pomoc praca prenumerata
    prywatnosc prywatnosci redakcja regulamin reklama rejestracja sklep szukaj zaloguj
    adatvedelem adatvedelmi allas aszf elofizetes felhasznalasi hirdetes hirdetesek hirlevel horoszkop idojaras
    impresszum jatekok kapcsolat kereses mediaajanlat regisztracio suti sutik ugyfelszolgalat
    inzerce inzerat kontakty krizovky napoveda obchod podminky podmienky predplatne predplatit prihlasit
    prihlaseni pocasi soutez souteze udaju udajov vyhledavani vyhladavanie zasady
    abonare abonamente anunturi cautare contactati confidentialitate despre horoscop
    publicitate termeni vremea
    abonelik burc cerez gizlilik giris hakkimizda hava iletisim ilan kullanim kunye kvkk reklam sartlari uyelik yardim
    marketing oglasi oglasavanje pretplata prijava pravila uslovi uvjeti vreme privatnosti impresum
    bantuan daftar iklan karir kebijakan ketentuan kontak langganan masuk pedoman privasi redaksi tentang
    dang ky lien he quang cao dieu khoan
    вакансии войти вход гороскоп контакты конфиденциальности обратная погода подписка подписаться поиск пользования
    помощь правила рассылка реклама рекламодателям регистрация соглашение
    вакансії контакти конфіденційності підписка пошук угода
    абонамент връзка условия поверителност
    απορρητου αγγελιες διαφημιση διαφημιστειτε εγγραφη επικοινωνια ζωδια καιρος οροι προσωπικα συνδεση ταυτοτητα
    χρησης αναζητηση δεδομενων ωροσκοπια
    اتصل اشترك اشتراك اعلان اعلانات اعلن الاستخدام البحث التسجيل الخصوصية الشروط الطقس الموبايل النشرة تسجيل تطبيق
    تطبيقات توظيف حقوق خدمة خدمات خريطة دخول شروط طقس وظائف
    אודות פרטיות צור קשר תנאי שימוש תקנון מנויים פרסמו פרסום נגישות
    विज्ञापन संपर्क गोपनीयता नियम शर्तें राशिफल मौसम
    rechtliches kundencenter unterstutzen spenden foren newsletterabo services service contacter compte
    comptes forecast ticketing solitaire puzzle previsions pronostico transparencia
"""

_UNSPACED = """
    広告 会社概要 利用規約 個人情報 プライバシー お問い合わせ お問合せ 採用 登録 ログイン ヘルプ サイトマップ
    著作権 メルマガ アプリ 購読
    天気 占い 番組表 募集 特定商取引 規約 免責 ご利用 ガイドライン メール配信 会員
    广告 关于我们 联系我们 联系 招聘 登录 注册 版权 隐私 订阅 帮助 网站地图 客户端 服务条款 法律声明 免责
    手机服务 手机版 天气 下载
    廣告 關於我們 聯絡我們 聯絡 登入 註冊 版權 隱私 訂閱 幫助 網站地圖 客服 服務條款 免責
    광고 회사소개 이용약관 개인정보 청소년보호 고객센터 구독 로그인 회원가입 채용 저작권 제휴 문의 제보 운세
    날씨 사이트맵 앱 모바일 서비스
    알림 뉴스레터 약관 수집거부 고충처리
    โฆษณา ติดต่อ เงื่อนไข นโยบาย สมัคร
"""

_WORD = re.compile(r"[^\W\d_]+")
_ARABIC_ARTICLE = "ال"


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case and without diacritics."""
    folded = unicodedata.normalize("NFKD", text[:MAX_TEXT].casefold())
    # Composed again, because Hangul is taken apart as well.
    kept = unicodedata.normalize("NFC", "".join(sign for sign in folded if not unicodedata.combining(sign)))
    return _WORD.findall(kept)


def _vocabulary(words: str) -> frozenset[str]:
    return frozenset(plain for word in words.split() for plain in plain_words(word))


_SERVICE = _vocabulary(_LATIN_AND_OTHERS)
_PARTS = re.compile("|".join(sorted((re.escape(word) for word in _vocabulary(_UNSPACED)), key=len, reverse=True)))


@lru_cache(maxsize=1 << 15)
def service_share(text: str) -> float:
    """Return the share of a text's letters in words that offer a service: 0 for a headline, 1 for "Contact"."""
    words = plain_words(text)
    total = sum(map(len, words))
    return sum(map(_service_letters, words)) / total if total else 0.0


def _service_letters(word: str) -> int:
    if word in _SERVICE or word.removeprefix(_ARABIC_ARTICLE) in _SERVICE:
        return len(word)
    # Scripts without spaces, and Korean, whose words carry particles: any part of a word counts.
    return sum(map(len, _PARTS.findall(word)))
