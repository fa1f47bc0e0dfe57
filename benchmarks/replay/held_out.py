"""Models of addresses and links that have not seen the publisher of a replayed site."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from benchmarks.progress import say
from broadsheet.models.model_files import load, save
from broadsheet.pages import url_verdicts
from broadsheet.sources import source_judge
from broadsheet.sources.site_model import SiteModel, load_site_model, save_site_model


def fit_missing(folder: Path, snapshots: Path, sites: Sequence[str]) -> None:
    """Fit the models that a folder lacks, one for each site; those of a publisher take half a minute."""
    # Only fitting needs what only learning needs, which takes 100 MB.
    from broadsheet.training.site_training import SiteLessons, publisher_of  # noqa: PLC0415

    missing = [site for site in sites if not (folder / site).is_dir()]
    if not missing:
        return
    lessons = SiteLessons.read(snapshots)
    for publisher in sorted(set(map(publisher_of, missing))):
        say(f"fitting models without {publisher}")
        model = lessons.fit({publisher})
        for site in missing:
            if publisher_of(site) == publisher:
                _save(model, folder / site)


def _save(model: SiteModel, place: Path) -> None:
    if model.models.addresses is None:
        raise RuntimeError("a fitted model always looks at addresses")
    save_site_model(model, place)
    save(model.models.addresses, place / "addresses.npz")


def load_held_out(folder: Path, site: str) -> SiteModel:
    """Return the model of a folder that has not seen the publisher of a site."""
    place = folder / site
    return load_site_model(place, load(place / "addresses.npz"))


@contextmanager
def held_out(folder: Path | None, site: str) -> Iterator[None]:
    """Judge with the models of a folder while inside; with those that are shipped if there is none."""
    if folder is None:
        yield
        return
    model = load_held_out(folder, site)
    with (
        patch.object(url_verdicts, "url_model", lambda: model.models.addresses),
        patch.object(source_judge, "site_model", lambda: model),
    ):
        yield
