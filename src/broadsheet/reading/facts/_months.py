"""The names of the months in many languages, in the forms used in dates."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from types import MappingProxyType

#: The twelve months by language; forms of one month are separated by slashes, full ones before short ones.
_MONTHS = {
    "en": "january february march april may june july august september/sept october november december",
    "de": "januar/jänner februar/feber märz/mrz april mai juni juli august september/sept oktober november dezember",
    "fr": "janvier/janv février/févr/fevrier mars avril/avr mai juin juillet/juil août/aout septembre/sept octobre"
    " novembre décembre/decembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre/sept octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre/sett ottobre novembre dicembre",
    "pt": "janeiro fevereiro março/marco abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart/mrt april mei juni juli augustus september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "no": "januar februar mars april mai juni juli august september oktober november desember",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "is": "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
    "fi": "tammikuuta/tammikuu/tammi helmikuuta/helmikuu/helmi maaliskuuta/maaliskuu/maalis huhtikuuta/huhtikuu/huhti"
    " toukokuuta/toukokuu/touko kesäkuuta/kesäkuu/kesä heinäkuuta/heinäkuu/heinä elokuuta/elokuu/elo"
    " syyskuuta/syyskuu/syys lokakuuta/lokakuu/loka marraskuuta/marraskuu/marras joulukuuta/joulukuu/joulu",
    "et": "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
    "lv": "janvāris/janvārī/janvāra februāris/februārī/februāra marts/martā/marta aprīlis/aprīlī/aprīļa"
    " maijs/maijā/maija jūnijs/jūnijā/jūnija jūlijs/jūlijā/jūlija augusts/augustā/augusta"
    " septembris/septembrī/septembra oktobris/oktobrī/oktobra novembris/novembrī/novembra"
    " decembris/decembrī/decembra",
    "lt": "sausio/sausis vasario/vasaris kovo/kovas balandžio/balandis gegužės/gegužė birželio/birželis"
    " liepos/liepa rugpjūčio/rugpjūtis rugsėjo/rugsėjis spalio/spalis lapkričio/lapkritis gruodžio/gruodis",
    "pl": "stycznia/styczeń lutego/luty marca/marzec kwietnia/kwiecień maja/maj czerwca/czerwiec lipca/lipiec"
    " sierpnia/sierpień września/wrzesień/wrz października/październik/paź listopada/listopad grudnia/grudzień",
    "cs": "ledna/leden února/únor března/březen dubna/duben května/květen června/červen července/červenec"
    " srpna/srpen září října/říjen listopadu/listopad prosince/prosinec",
    "sk": "januára/január februára/február marca/marec apríla/apríl mája/máj júna/jún júla/júl augusta/august"
    " septembra/september októbra/október novembra/november decembra/december",
    "sl": "januarja/januar februarja/februar marca/marec aprila/april maja/maj junija/junij julija/julij"
    " avgusta/avgust septembra/september oktobra/oktober novembra/november decembra/december",
    "hr": "siječnja/siječanj veljače/veljača ožujka/ožujak travnja/travanj svibnja/svibanj lipnja/lipanj"
    " srpnja/srpanj kolovoza/kolovoz rujna/rujan listopada/listopad studenoga/studenog/studeni prosinca/prosinac",
    "sr": "januara/januar/јануар/јануара februara/februar/фебруар/фебруара marta/mart/март/марта"
    " aprila/april/април/априла maja/maj/мај/маја juna/jun/juni/јун/јуна jula/jul/juli/јул/јула"
    " avgusta/avgust/август/августа septembra/septembar/септембар/септембра oktobra/oktobar/октобар/октобра"
    " novembra/novembar/новембар/новембра decembra/decembar/децембар/децембра",
    "bg": "януари февруари март април май юни юли август септември октомври ноември декември",
    "mk": "јануари февруари март април мај јуни јули август септември октомври ноември декември",
    "ru": "января/январь февраля/февраль марта/март апреля/апрель мая/май июня/июнь июля/июль августа/август"
    " сентября/сентябрь октября/октябрь ноября/ноябрь декабря/декабрь",
    "uk": "січня/січень лютого/лютий березня/березень квітня/квітень травня/травень червня/червень липня/липень"
    " серпня/серпень вересня/вересень жовтня/жовтень листопада/листопад грудня/грудень",
    "be": "студзеня/студзень лютага/люты сакавіка/сакавік красавіка/красавік мая/май чэрвеня/чэрвень ліпеня/ліпень"
    " жніўня/жнівень верасня/верасень кастрычніка/кастрычнік лістапада/лістапад снежня/снежань",
    "el": "ιανουαρίου/ιανουάριος φεβρουαρίου/φεβρουάριος μαρτίου/μάρτιος απριλίου/απρίλιος μαΐου/μάιος/μαϊου/μαΐ"
    " ιουνίου/ιούνιος/ιουν ιουλίου/ιούλιος/ιουλ αυγούστου/αύγουστος σεπτεμβρίου/σεπτέμβριος"
    " οκτωβρίου/οκτώβριος νοεμβρίου/νοέμβριος δεκεμβρίου/δεκέμβριος",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "hu": "január február március április május június július augusztus szeptember/szept október november december",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "az": "yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr",
    "sq": "janar shkurt mars prill maj qershor korrik gusht shtator tetor nëntor dhjetor",
    "ca": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "gl": "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
    "eu": "urtarrila/urtarrilaren otsaila/otsailaren martxoa/martxoaren apirila/apirilaren maiatza/maiatzaren"
    " ekaina/ekainaren uztaila/uztailaren abuztua/abuztuaren iraila/irailaren urria/urriaren azaroa/azaroaren"
    " abendua/abenduaren",
    "ga": "eanáir feabhra márta aibreán bealtaine meitheamh iúil lúnasa meánfómhair deireadh samhain nollaig",
    "cy": "ionawr chwefror mawrth ebrill mai mehefin gorffennaf awst medi hydref tachwedd rhagfyr",
    "id": "januari februari maret april mei juni juli agustus september oktober november desember",
    "ms": "januari februari mac april mei jun julai ogos september oktober november disember",
    "tl": "enero pebrero marso abril mayo hunyo hulyo agosto setyembre oktubre nobyembre disyembre",
    "sw": "januari februari machi aprili mei juni julai agosti septemba oktoba novemba desemba",
    "af": "januarie februarie maart april mei junie julie augustus september oktober november desember",
    "ar": "يناير/كانون\u00a0الثاني/جانفي فبراير/شباط/فيفري مارس/آذار أبريل/ابريل/إبريل/نيسان/أفريل مايو/أيار/ماي"
    " يونيو/يونيه/حزيران/جوان يوليو/يوليه/تموز/جويلية أغسطس/اغسطس/آب/أوت سبتمبر/أيلول أكتوبر/اكتوبر"
    " نوفمبر ديسمبر",
    "fa": "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
    "ur": "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر",
    "he": "ינואר/בינואר פברואר/בפברואר מרץ/במרץ אפריל/באפריל מאי/במאי יוני/ביוני יולי/ביולי אוגוסט/באוגוסט"
    " ספטמבר/בספטמבר אוקטובר/באוקטובר נובמבר/בנובמבר דצמבר/בדצמבר",
    "hi": "जनवरी फ़रवरी/फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर/अक्तूबर नवंबर/नवम्बर दिसंबर/दिसम्बर",
    "mr": "जानेवारी फेब्रुवारी मार्च एप्रिल मे जून जुलै ऑगस्ट सप्टेंबर ऑक्टोबर नोव्हेंबर डिसेंबर",
    "bn": "জানুয়ারি/জানুয়ারী ফেব্রুয়ারি/ফেব্রুয়ারী মার্চ এপ্রিল মে জুন জুলাই আগস্ট/অগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর",
    "ta": "ஜனவரி பிப்ரவரி மார்ச் ஏப்ரல் மே ஜூன் ஜூலை ஆகஸ்ட் செப்டம்பர் அக்டோபர் நவம்பர் டிசம்பர்",
    "th": "มกราคม/ม.ค กุมภาพันธ์/ก.พ มีนาคม/มี.ค เมษายน/เม.ย พฤษภาคม/พ.ค มิถุนายน/มิ.ย กรกฎาคม/ก.ค สิงหาคม/ส.ค"
    " กันยายน/ก.ย ตุลาคม/ต.ค พฤศจิกายน/พ.ย ธันวาคม/ธ.ค",
    "ka": "იანვარი/იანვარს თებერვალი/თებერვალს მარტი/მარტს აპრილი/აპრილს მაისი/მაისს ივნისი/ივნისს ივლისი/ივლისს"
    " აგვისტო/აგვისტოს სექტემბერი/სექტემბერს ოქტომბერი/ოქტომბერს ნოემბერი/ნოემბერს დეკემბერი/დეკემბერს",
    "hy": "հունվարի/հունվար փետրվարի/փետրվար մարտի/մարտ ապրիլի/ապրիլ մայիսի/մայիս հունիսի/հունիս հուլիսի/հուլիս"
    " օգոստոսի/օգոստոս սեպտեմբերի/սեպտեմբեր հոկտեմբերի/հոկտեմբեր նոյեմբերի/նոյեմբեր դեկտեմբերի/դեկտեմբեր",
    "kk": "қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан",
}  # fmt: skip
#: The minimum and maximum length of an abbreviation.
_SHORTEST, _LONGEST = 3, 5
#: Abbreviations of months in other languages that are words of English: "2 minutes ago", "Gene".
_ENGLISH_WORDS = frozenset("ago gen gene mag set out".split())
_ALIASES = {"nb": "no", "nn": "no", "bs": "sr", "me": "sr", "sh": "sr", "fil": "tl"}


def month_of(word: str, language: str | None = None) -> int | None:
    """Return the number of a month by its full or abbreviated name, preferring the given language."""
    plain = word.casefold().rstrip(".")
    if language == "en" and plain in _ENGLISH_WORDS:
        return None
    in_any = months_in(None).get(plain)
    # A word that is not a month in any language is not one in this language.
    return months_in(language).get(plain, in_any) if in_any and language else in_any


@cache
def months_in(language: str | None) -> Mapping[str, int]:
    """Return the names of the months in a language, or in all languages."""
    selected = list(_MONTHS.values()) if language is None else [_MONTHS.get(_ALIASES.get(language, language), "")]
    tables = [[month.casefold().split("/") for month in months.split(" ") if month] for months in selected]
    numbers: dict[str, int] = {}
    # Languages are ordered by their weight in the news, and the first one wins if two share a name; but full names in
    # any language take precedence over abbreviations.
    for forms in (_names, _abbreviations):
        for months in tables:
            for name, number in forms(months):
                numbers.setdefault(name, number)
    return MappingProxyType(numbers)


def _names(months: list[list[str]]) -> Iterator[tuple[str, int]]:
    return ((name, number) for number, names in enumerate(months, start=1) for name in names)


def _abbreviations(months: list[list[str]]) -> Iterator[tuple[str, int]]:
    """Yield the unambiguous abbreviations of the months."""
    by_month = [
        {name[:length] for name in names for length in range(_SHORTEST, _LONGEST + 1) if length < len(name)}
        for names in months
    ]
    # Full names count too: an abbreviation must not be the name of another month.
    uses = Counter(chain.from_iterable(by_month))
    uses.update(name for names in months for name in names)
    for number, abbreviations in enumerate(by_month, start=1):
        yield from ((abbreviation, number) for abbreviation in sorted(abbreviations) if uses[abbreviation] == 1)
