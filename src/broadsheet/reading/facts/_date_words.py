"""Words that say what a date is: that of publication, or that of a change."""

import re
from typing import Final

#: Words before the date of a change, not of publication.
UPDATED: Final = re.compile(
    r"\b(?:updated|modified|revised|aktualisiert|geändert|actualizad[oa]|modificad[oa]|atualizad[oa]|aggiornat[oa]"
    r"|aggiornamento|bijgewerkt|gewijzigd|uppdatera[dt]|ändrad|oppdatert|opdateret|päivitetty|muokattu|zaktualizowan[oe]"
    r"|aktualizacja|aktualizováno|aktualizované|frissítve|módosítva|actualizat|güncelle(?:me|nme|ndi)|diperbarui)\b"
    r"|mis(?:e|es)? à jour|modifié|обновлен|изменен|оновлен|ενημ[έε]ρωσ|تحديث|עודכן|更新|수정|업데이트|cập nhật"
    r"|อัปเดต|अपडेट",
    re.IGNORECASE,
)
#: Words before the date of publication.
PUBLISHED: Final = re.compile(
    r"\b(?:publi(?:shed|sh|é|ée|cad[oa]|kowan[oey])|posted|issued|veröffentlicht|erschienen|erstellt"
    r"|eingestellt|gepostet|datum|date|data|fecha|pubblicat[oa]|inserit[oa]|publicerad|publisert|udgivet|julkaistu"
    r"|opublikowan[oey]|dodan[oe]|zveřejněno|közzétéve|publicat|yayın\w*|diterbitkan|dipublikasi\w*)\b"
    r"|опубликован|дата|опублікован|δημοσ|نشر|פורסם|发布|發布|發表|公開|掲載|投稿|입력|등록|게시|đăng",
    re.IGNORECASE,
)
