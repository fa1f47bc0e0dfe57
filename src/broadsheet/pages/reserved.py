"""Words in URLs and titles that hint at a page's purpose, in many languages: weak evidence for the model to weigh.

They are spelt as in URLs: in lower case, without diacritics, with umlauts written out.
"""

SERVICE = 1
LISTING = 2
MEDIA = 4
LEGAL = 8

#: Service pages, for the visitor or the owner, without news.
_SERVICE = """
    abo abonnement abonnements abonnieren abos about aboutus accessibility account accounts ad ads advertise advertising
    agb anmelden anmeldung anzeige anzeigen app apps auth authenticate avg barrierefreiheit basket betting bookmarks buy
    calculator career careers cart checkout club community
    compliance conditions consent contact contactus cookie cookies
    copyright corporate coupon coupons customer dashboard datenschutz datenschutzerklaerung deals disclaimer docs donate
    donation download downloads dsgvo epaper event events faq
    faqs feedback forum forums game games gewinnspiel gutschein
    gutscheine help hilfe horoscope horoscopes horoskop impressum imprint info investors job jobs karriere kontakt konto
    kundenservice legal licensing login logout lotto mail mediadaten mitglied nutzungsbedingungen newsletter newsletters
    partner partners password pdf policies policy preise
    preisvergleich premium press presse privacy privatsphaere product
    products produkt produkte rechner rechtliches register registration registrieren rss sales schedule scores search
    service services settings shop shopping sign signin signup sitemap spiele stellenmarkt store submit subscribe
    subscription subscriptions suche support team terms tickets
    tools tos unternehmen user users vergleich voucher vouchers
    weather werben werbung wetter widerruf widget widgets
    abonneren adverteren colofon inloggen klantenservice privacybeleid voorwaarden vacatures winkel
    abonne abonnez aide annonces apropos boutique cgu cgv confidentialite connexion emploi inscription mentions meteo
    recherche sabonner
    abbonamenti abbonati accedi assistenza chi contatti lavoro negozio pubblicita ricerca termini
    acceso anuncie aviso ayuda buscar busqueda contacto
    contactos empleo privacidad publicidad quienes registro servicios
    sobre suscripcion suscribete suscripciones terminos tienda
    ajuda anuncie assinatura assine busca cadastro contato empregos entrar loja politica privacidade termos
    annonsera kontakta kundtjanst logga personvern prenumerera vilkar annonser om jobb vaer soek sok hjelp
    mediehuset abonner
    asiakaspalvelu haku kirjaudu mediatiedot tietosuoja tilaa yhteystiedot
    kontakty logowanie ogloszenia polityka pomoc praca prenumerata prywatnosci redakcja regulamin reklama rejestracja
    sklep szukaj
    hirdetes impresszum kapcsolat adatvedelem elofizetes aszf
    inzerce kontakt kontakty predplatne prihlaseni podminky reklama
    abonare cautare contactati despre publicitate termeni
    giris gizlilik hakkimizda iletisim kunye kullanim reklam uyelik abonelik
    abonament oferta pravila uslovi marketing prijava pretplata
    kontakti reklama vakansii podpiska poisk pomosch
    bantuan iklan kebijakan kontak langganan masuk redaksi tentang
    контакты реклама вакансии подписка поиск помощь регистрация επικοινωνια διαφημιση
    联系我们 关于我们 广告 お問い合わせ 広告
"""

#: Pages that list other pages. Words such as `news` are left out because articles have them as often.
_LISTING = """
    all alle alles archief archiv archive archives archivio archivo arquivo auteur auteurs author authors autor autore
    autoren autores autori autorzy byline categoria categorias categorie categories category channel channels
    collection collections columnist columnists contributor contributors dossiers etiqueta etiquetas forfatter home
    homepage index journalist kategori kategoria kategorie kategorien kategorija kategoriya keyword kirjoittaja label
    latest list liste listing newsticker onderwerp overview page pages pagina paginas people person persona personen
    profile profiles redakteur reporter reporters resort ressort rubric rubrica rubrik rubrika rubriken rubrique
    rubriques rubryka schlagwort schlagzeilen schwerpunkt secao seccion secciones section sections seite sivu
    stichwort stichworte subject subjects tag tagged tagi tags teema tema temas temat tematy thema theme themen themes
    thread ticker topic topico topicos topics topnews tudo tutti ueberblick uebersicht writer writers yazar yazarlar
    автор авторы архив рубрика тег теги тема темы θεμα θεματα κατηγορια αρχειο 分类 标签 专题 一覧
"""

#: Pages whose content is not text; some sites treat them as articles, others do not.
_MEDIA = """
    audio audios bild bilder bilderserie bilderstrecke broadcast cartoon cartoons clip clips diapo diaporama diashow
    episode episodes film filme filmy foto fotogaleria fotogalerie fotogallery fotos fotostrecke galeri galeria galerie
    galerien galleria galleries gallery grafik image images infografik infografiken interactive kino klip kuvat live
    livestream media mediathek multimedia photo photogallery photos
    picture pictures play playlist podcast podcasts poddar
    programm programs quiz quizzes radio sendung sendungen slideshow
    slideshows stream streaming tv v vid video videogalerie
    videolar videos watch webcam wideo zdjecia
    видео фото галерея подкасты βιντεο φωτογραφιες 视频 图片 動画 写真
"""

#: Legal pages: imprint, privacy statement, terms of use.
_LEGAL = """
    conditions copyright disclaimer dmca eula gdpr imprint legal privacy terms tos
    agb barrierefreiheitserklaerung datenschutz datenschutzbestimmungen datenschutzerklaerung datenschutzhinweis
    datenschutzhinweise dsgvo impressum nutzungsbedingungen privatsphaere rechtliches widerruf widerrufsbelehrung
    colofon cookiebeleid cookieverklaring gebruiksvoorwaarden privacybeleid privacyverklaring voorwaarden
    cgu cgv confidentialite legales mentions
    condizioni informativa legali termini
    condiciones privacidad terminos aviso
    privacidade termos
    anvandarvillkor integritetspolicy personuppgifter villkor
    brukervilkar personvern personvernerklaering vilkar
    cookiepolitik handelsbetingelser persondatapolitik privatlivspolitik
    evasteet kayttoehdot rekisteriseloste tietosuoja tietosuojaseloste
    prywatnosc prywatnosci regulamin
    osobnich osobnych podminky podmienky udajov udaju
    adatkezelesi adatvedelem adatvedelmi aszf felhasznalasi impresszum
    confidentialitate termeni
    cerez gizlilik kosullari kunye kvkk
    impresum koristenja pogoji privatnost privatnosti uslovi uvjeti zasebnost
    kebijakan ketentuan penafian privasi
    απορρητου οροι χρησης
    конфиденциальности пользовательское соглашение конфіденційності поверителност
    سياسة الخصوصية פרטיות תקנון गोपनीयता
    利用規約 プライバシーポリシー 個人情報保護方針 隐私政策 隱私權政策 法律声明 免责声明 版权声明 服务条款 使用条款
    개인정보처리방침 이용약관
"""


def _kinds() -> dict[str, int]:
    kinds: dict[str, int] = {}
    for kind, words in ((SERVICE, _SERVICE), (LISTING, _LISTING), (MEDIA, _MEDIA), (LEGAL, _LEGAL)):
        for word in words.split():
            kinds[word] = kinds.get(word, 0) | kind
    return kinds


#: The kinds of each word as a bit set, because a word may have several.
KINDS = _kinds()
