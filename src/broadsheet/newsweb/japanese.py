"""The words of invented Japanese news."""

from broadsheet.newsweb.words import Interface, Lexicon

JAPANESE = Lexicon(
    language="ja",
    slots={
        "place": ("潮見町", "白浜岬", "旧港地区", "鴎島"),
        "project": ("新しい渡し船", "港の図書館", "灯台博物館", "海沿いの路面電車"),
        "body": ("町議会", "港湾局", "島の評議会"),
        "person": ("森田千春", "岸本航", "浜口さくら"),
        "season": ("来年の春", "この秋", "年末"),
    },
    headlines=(
        "{place}の{project}、{season}に着工へ",
        "{project}の計画を{body}が承認",
        "{place}の住民、{project}で意見分かれる",
    ),
    standfirsts=("{body}は計画を承認したが、商店街には不安の声も残る。",),
    sentences=(
        "{body}は火曜日、{place}の{project}の計画を承認した。",
        "総工費は約{count}億円で、工事は{season}に始まる予定だ。",
        "{person}氏は「長年待っていた決定だ」と話した。",
        "一方、住民からは騒音や交通への影響を心配する声も上がっている。",
        "完成すれば、年間およそ{count}万人の利用が見込まれる。",
        "{body}によると、調査はすでに終わっており、入札は来月行われる。",
        "地元の漁師たちは、岸壁への通路を残すよう求めている。",
        "{project}は、{place}の新しい顔になると期待されている。",
        "商店街の店主らは、工事中の客足の減少を不安視している。",
        "二月の調査では、回答者の{share}パーセントが計画に賛成した。",
        "次の説明会は今月末に開かれる。",
        "それまで、計画は図面の上にとどまる。",
    ),
    crossheads=("長い道のり", "今後の見通し"),
    authors=("水野葵", "渡辺陸"),
    months=tuple(f"{month}月" for month in range(1, 13)),
    date="{year}年{month}{day}日 {time}",
    space="",
    interface=Interface(
        home="ホーム",
        by="文・",
        updated="更新",
        most_read="よく読まれている記事",
        related="関連記事",
        share="この記事を共有する",
        more="続きを読む",
    ),
)
