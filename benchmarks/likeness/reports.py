"""Made-up reports of one template: other days, other numbers, the same phrases. No two of them are one story."""

import random
from collections.abc import Callable, Mapping

_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_TAGE = "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split()
_TOWNS = "Ashford Bellingham Carrow Dunmore Eastlake Farrow Granby Holmes Ivybridge Kelso Lorne Marlow".split()
_STAEDTE = "Aalen Bremen Coburg Dessau Erfurt Fulda Gera Hanau Jena Kassel Lahr Mainz".split()
_FIRMS = "Albion Borealis Crestline Domus Elbtal Ferrum Gammon Hellweg Isar Juno Kestrel Lumen".split()
_PLAYERS = "Adler Baines Correa Dunn Eriksen Faro Grant Huang Ibarra Jansen Kone Larsen Moreno Novak".split()


def weather(chance: random.Random) -> str:
    """Return a weather report."""
    day, towns = chance.choice(_DAYS), chance.sample(_TOWNS, 5)
    high, low, wind = chance.randint(4, 31), chance.randint(-6, 15), chance.randint(5, 60)
    sky = [
        chance.choice(("sunny spells", "scattered showers", "low cloud", "heavy rain", "clear skies")) for _ in "abc"
    ]
    return (
        f"Good morning, and here is your local forecast for {day}. It will start off with {sky[0]} across {towns[0]} "
        f"and {towns[1]}, with temperatures reaching {high} degrees by mid-afternoon.\n\n"
        f"Winds from the {chance.choice(('north', 'east', 'south', 'west'))} will reach {wind} kilometres an hour on "
        f"the coast near {towns[2]}. Further inland there is a chance of {sky[1]} in the course of the evening.\n\n"
        f"Tonight the temperature will fall to around {low} degrees in {towns[3]}. Tomorrow looks set to bring "
        f"{sky[2]} to {towns[4]} and the surrounding area, with a {chance.randint(5, 95)} per cent chance of rain.\n\n"
        "You can follow the latest warnings on our weather page, where you will also find the outlook for the week "
        "ahead. Drivers are advised to check conditions before they set off."
    )


def market(chance: random.Random) -> str:
    """Return a stock market report."""
    day, firms = chance.choice(_DAYS), chance.sample(_FIRMS, 6)
    moves = [f"{chance.uniform(0.1, 6):.1f}" for _ in range(8)]
    way = chance.choice((("rose", "gains", "higher"), ("fell", "losses", "lower")))
    return (
        f"Shares closed {way[2]} on {day} after a day of thin trading. The main index {way[0]} {moves[0]} per cent to "
        f"{chance.randint(5000, 9000):,} points, while the index of medium-sized companies ended the session "
        f"{moves[1]} per cent {way[2]}.\n\n"
        f"Among the biggest {way[1]} were {firms[0]}, which {way[0]} {moves[2]} per cent, and {firms[1]}, which "
        f"{way[0]} {moves[3]} per cent. {firms[2]} and {firms[3]} moved in the opposite direction, by {moves[4]} and "
        f"{moves[5]} per cent respectively.\n\n"
        f"On the currency markets, the pound was trading at {chance.uniform(1.1, 1.5):.4f} dollars. The price of a "
        f"barrel of Brent crude oil stood at {chance.uniform(40, 110):.2f} dollars. Gold was at "
        f"{chance.randint(1200, 2900):,} dollars an ounce.\n\n"
        f"Investors are now waiting for the results of {firms[4]} and {firms[5]}, which are due later this week. "
        "This report was produced automatically and does not constitute investment advice."
    )


def match(chance: random.Random) -> str:
    """Return the report of a match."""
    home, away = chance.sample(_TOWNS, 2)
    players = chance.sample(_PLAYERS, 6)
    minutes = sorted(chance.sample(range(1, 91), 5))
    return (
        f"{home} {chance.randint(1, 5)}-{chance.randint(0, 4)} {away}. {players[0]} opened the scoring for {home} in "
        f"the {minutes[0]}th minute with a shot from the edge of the area, and {players[1]} doubled the lead in the "
        f"{minutes[1]}th minute.\n\n"
        f"{away} came back into the game through {players[2]} in the {minutes[2]}th minute. {players[3]} was shown a "
        f"yellow card in the {minutes[3]}th minute for a late challenge on {players[4]}.\n\n"
        f"{players[5]} made the points safe in the {minutes[4]}th minute in front of a crowd of "
        f"{chance.randint(900, 60000):,}. {home} move up to number {chance.randint(1, 10)} in the table, while {away} "
        f"remain at number {chance.randint(11, 20)}.\n\n"
        f"The next match of {home} is at home to {chance.choice(_TOWNS)} on {chance.choice(_DAYS)}, {away} travel "
        f"to {chance.choice(_TOWNS)}. Tickets are available from the club's website and at the ground."
    )


def horoscope(chance: random.Random) -> str:
    """Return a horoscope: the same stock of sentences every day, drawn and ordered anew."""
    stock = (
        "A chance meeting at work opens a door that you had thought closed for good",
        "Money matters need your attention before the week is over",
        "Somebody close to you is waiting for an honest word",
        "Do not let the mood of others spoil a day that began so well",
        "The stars advise patience: what is meant for you will not pass you by",
        "An old friend returns with a surprising proposal",
        "Take time for yourself, for your energy is not without limits",
        "Venus smiles on all matters of the heart this evening",
        "A decision that you have put off for long cannot wait any longer",
        "Trust your instinct when a contract is laid before you",
        "Mercury makes conversations easy, so say what you mean",
        "A short journey brings more than you expect of it",
        "Keep a secret that was entrusted to you, and you will be rewarded",
        "Your diligence is noticed by people who matter",
        "Listen more than you speak, at least until noon",
        "Today a compromise is worth more than a victory",
    )
    signs = chance.sample("Aries Taurus Gemini Cancer Leo Virgo Libra Scorpio".split(), 5)
    drawn = chance.sample(stock, 10)
    return "\n\n".join(
        f"{sign}: {drawn[2 * place]}. {drawn[2 * place + 1]}. Lucky number: {chance.randint(1, 99)}."
        for place, sign in enumerate(signs)
    )


def aktien(chance: random.Random) -> str:
    """Return an automatic report on a share, in German."""
    firm, others = chance.choice(_FIRMS), chance.sample(_FIRMS, 3)
    price = [f"{chance.uniform(5, 300):.2f}".replace(".", ",") for _ in range(5)]
    way = chance.choice((("legt zu", "nach oben", "Gewinnern"), ("gibt nach", "nach unten", "Verlierern")))
    return (
        f"Die Aktie von {firm} {way[0]}. Das Papier gehört am {chance.choice(_TAGE)} zu den {way[2]} des Tages und "
        f"notierte zuletzt bei {price[0]} Euro. Um {chance.randint(9, 17)}:{chance.randint(10, 59)} Uhr ging es im "
        f"XETRA-Handel um {chance.uniform(0.1, 7):.1f} Prozent {way[1]}.\n\n"
        f"In der Spitze erreichte der Anteilsschein einen Kurs von {price[1]} Euro. Mit einem Wert von {price[2]} Euro "
        f"startete die Aktie in den Handelstag. Zuletzt wurden {chance.randint(1000, 90000)} Stück umgesetzt.\n\n"
        f"Das 52-Wochen-Hoch liegt bei {price[3]} Euro, das 52-Wochen-Tief bei {price[4]} Euro. Ebenfalls im Blick der "
        f"Anleger stehen {others[0]}, {others[1]} und {others[2]}. Analysten erwarten für das laufende Jahr einen "
        f"Gewinn von {chance.uniform(0.2, 9):.2f} Euro je Aktie.\n\n"
        "Dieser Artikel wurde automatisch erstellt und stellt keine Empfehlung zum Kauf oder Verkauf dar."
    )


def wetter(chance: random.Random) -> str:
    """Return a weather report, in German."""
    staedte = chance.sample(_STAEDTE, 4)
    himmel = [chance.choice(("Sonnenschein", "dichte Wolken", "Nebelfelder", "Schauer", "Nieselregen")) for _ in "abc"]
    return (
        f"Das Wetter in {staedte[0]}: Am {chance.choice(_TAGE)} bestimmen {himmel[0]} das Bild, und die Temperaturen "
        f"steigen auf {chance.randint(0, 34)} Grad. In {staedte[1]} werden bis zu {chance.randint(0, 34)} Grad "
        f"erreicht.\n\n"
        f"Am Nachmittag ziehen von Westen {himmel[1]} auf, die am Abend auch {staedte[2]} erreichen. Der Wind weht "
        f"mit Geschwindigkeiten um {chance.randint(5, 70)} Kilometer pro Stunde.\n\n"
        f"In der Nacht kühlt es auf {chance.randint(-9, 18)} Grad ab. Morgen erwarten die Meteorologen {himmel[2]} in "
        f"{staedte[3]} und Umgebung, die Regenwahrscheinlichkeit liegt bei {chance.randint(5, 95)} Prozent.\n\n"
        "Aktuelle Warnungen des Wetterdienstes finden Sie jederzeit auf unserer Wetterseite und in unserer App."
    )


#: By the name of the family of pairs.
REPORTS: Mapping[str, Callable[[random.Random], str]] = {
    "weather": weather,
    "stock market": market,
    "match": match,
    "horoscope": horoscope,
    "shares (German)": aktien,
    "weather (German)": wetter,
}
