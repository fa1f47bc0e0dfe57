"""The names of the `meta` elements that are read, by field, the most reliable first."""

from typing import Final

#: How the content is read: as a text, a comma-separated list, an author, a URL, or directives for robots.
TEXT, LIST, AUTHOR, ADDRESS, DIRECTIVES = range(5)

#: Field, how its content is read, and the names.
_NAMES: Final = (
    (
        "titles",
        TEXT,
        """
        og:title twitter:title sailthru.title parsely-title citation_title headline dc.title dcterms.title
        cxenseparse:title twitter:text:title fb_title title
        """,
    ),
    (
        "descriptions",
        TEXT,
        """
        og:description description twitter:description sailthru.description dc.description
        dcterms.description dcterms.abstract abstract
        """,
    ),
    (
        "published",
        TEXT,
        """
        article:published_time og:published_time article:published published_time datepublished
        parsely-pub-date sailthru.date cxenseparse:recs:publishtime cxenseparse:publishtime
        shareaholic:article_published_time vr:published_time og:publish_date citation_publication_date
        citation_online_date citation_date prism.publicationdate dc.date.issued dcterms.issued publishdate
        publish-date publish_date pubdate pub_date date-pub published published_at publicationdate
        publication_date dateofpublication publisheddate article_date_original displaydate dc.date.created
        dcterms.created dc.created dc.date dcterms.date date.release date created creation_date
        """,
    ),
    (
        "modified",
        TEXT,
        """
        article:modified_time og:modified_time article:modified og:updated_time datemodified
        dcterms.modified dc.date.modified shareaholic:article_modified_time article_date_updated
        lastmodified lastmodifieddate last-modified last-updated updated revised
        """,
    ),
    (
        "authors",
        AUTHOR,
        """
        author article:author og:author parsely-author sailthru.author cxenseparse:author citation_author
        citation_authors byl byline authors author.name article_author content_author article:author_name
        dc.creator dcterms.creator dc.creator.name dc.author dcterms.author
        shareaholic:article_author_name vr:author dable:author creator
        """,
    ),
    (
        "sections",
        TEXT,
        """
        article:section og:section parsely-section sailthru.section prism.section articlesection
        article:category article:subsection section subsection category categories sections
        """,
    ),
    (
        "topics",
        LIST,
        """
        article:tag news_keywords parsely-tags sailthru.tags keywords tags topics citation_keywords
        cxenseparse:keywords dc.subject dcterms.subject
        """,
    ),
    (
        "images",
        ADDRESS,
        """
        og:image og:image:url og:image:secure_url twitter:image twitter:image:src parsely-image-url
        sailthru.image.full image thumbnail
        """,
    ),
    (
        "site_names",
        TEXT,
        """
        og:site_name application-name apple-mobile-web-app-title publisher dc.publisher dcterms.publisher
        citation_journal_title
        """,
    ),
    (
        "languages",
        TEXT,
        """
        og:locale content-language language dc.language dcterms.language og:language lang
        """,
    ),
    (
        "canonical",
        ADDRESS,
        """
        og:url parsely-link twitter:url
        """,
    ),
    (
        "types",
        TEXT,
        """
        og:type parsely-type cxenseparse:pageclass pagetype page_type dc.type dcterms.type medium
        """,
    ),
    (
        "free_access",
        TEXT,
        """
        article:content_tier
        """,
    ),
    (
        "robots",
        DIRECTIVES,
        """
        robots robot googlebot googlebot-news bingbot tdm-reservation tdm-policy
        """,
    ),
)

#: Maps each name to its rank, its field and how its content is read.
NAMES: Final[dict[str, tuple[int, str, int]]] = {
    name: (rank, field, reading)
    for rank, (name, field, reading) in enumerate(
        (name, field, reading) for field, reading, names in _NAMES for name in names.split()
    )
}

#: WordPress's labels for an author in `twitter:label1`, in several languages.
WRITTEN_BY: Final = frozenset(
    (
        *("written by", "author", "verfasst von", "geschrieben von", "autor", "geschreven door", "écrit par"),
        *("escrito por", "scritto da", "scris de", "napisane przez", "napsal", "napísal", "írta", "yazan"),
        *("skrevet af", "skrevet av", "skriven av", "kirjoittaja", "автор", "написано автором"),
        *("執筆者", "作者", "글쓴이", "كُتب بواسطة"),
    )
)
