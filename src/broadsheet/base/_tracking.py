"""Query parameters that identify a campaign, a referrer or a visitor, but not the page."""

import re

# Only names that no site is known to use for choosing a page: a missing name gives one page two keys, a wrong one
# gives two pages the same key. So `source`, `from`, `cid`, `mod` and `id` are not listed.
_ADVERTISEMENTS = """
    gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid msclkid yclid ysclid twclid ttclid
    rdt_cid li_fat_id epik s_kwcid s_cid awc zanpid dicbo tblci ob_click _openstat cm_mmc"""
_SHARES = """
    fbclid igsh igshid mibextid __tn__ ref_src ref_url twitter_impression __twitter_impression hss_channel
    soc_src soc_trk smid smtyp share_token spm spm_id_from scm"""
_NEWSLETTERS = "mc_cid mc_eid mkt_tok emc ml_subscriber ml_subscriber_hash _kx __s"
_OWN_CAMPAIGNS = "ref icid intcid intcmp int_cmp cmp cmpid ocid ncid ito xts reflink ftcamp ftag"
_VISITORS = "_ga _gl guccounter"
_MOBILE_EDITIONS = "amp amp_js_v amp_gsa usqp"
_SESSIONS = "phpsessid jsessionid sessionid session_id cfid cftoken oscsid zenid"
_NAMES = frozenset(
    f"{_ADVERTISEMENTS} {_SHARES} {_NEWSLETTERS} {_OWN_CAMPAIGNS} {_VISITORS} {_MOBILE_EDITIONS} {_SESSIONS}".split()
)

_ANALYTICS_PREFIXES = "utm_ utm- itm_ mtm_ matomo_ pk_ piwik_ at_ xtor wt_ wt. wtmc ns_ sara_"
_OTHER_PREFIXES = "fb_ __cft__ guce_ hsa_ _hs __hs elq vero_ oly_ aspsessionid"
_PREFIXES = tuple(f"{_ANALYTICS_PREFIXES} {_OTHER_PREFIXES}".split())

# Short names have many uses: they are a session only if the value looks like one.
_PERHAPS_SESSION = frozenset(("sid", "s", "sess", "session"))
_OPAQUE = re.compile(r"[0-9A-Fa-f-]{24,}").fullmatch


def is_noise(parameter: str) -> bool:
    """Return whether a query parameter, `name` or `name=value`, has no influence on which page is shown."""
    name, _, value = parameter.partition("=")
    name = name.lower()
    if name in _NAMES or name.startswith(_PREFIXES):
        return True
    return name in _PERHAPS_SESSION and _OPAQUE(value) is not None
