"""Train the model of a source: `python -m broadsheet.training.site_training --data DIR -o FOLDER`."""

import argparse
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.corpora.snapshot_folder import SnapshotSite, find_snapshot_sites
from broadsheet.sources.site_model import SiteModel, save_site_model
from broadsheet.training._labelled_addresses import publisher_of, site_addresses
from broadsheet.training._site_examples import LabelledTable, labelled_tables, learned_tables
from broadsheet.training._site_fitting import fit_site_model
from broadsheet.training._url_model import AddressExamples

__all__ = ["LabelledTable", "SiteLessons", "labelled_tables", "main", "publisher_of", "publisher_parts", "train"]


#: At most this many models are fitted to judge sites by other publishers: up to here each publisher is left out by
#: itself, beyond that they are left out in parts.
MAX_PARTS = 8


def publisher_parts(sites: Iterable[str]) -> dict[str, frozenset[str]]:
    """Divide the publishers of sites into parts to be left out together; return the part of each publisher."""
    publishers = sorted({publisher_of(site) for site in sites})
    parts = [frozenset(publishers[place::MAX_PARTS]) for place in range(MAX_PARTS)]
    return {publisher: part for part in parts for publisher in part}


@dataclass(frozen=True, slots=True)
class SiteLessons:
    """What there is to learn from: tables of links, and labelled addresses."""

    tables: Sequence[LabelledTable]
    addresses: AddressExamples

    @classmethod
    def read(cls, snapshots: Path) -> "SiteLessons":
        """Read the sites that the shipped model was trained on, if the folder belongs to them, else the folder itself.

        They are in `temporal/`, and in `more/days/` those that were saved on a few days only.
        """
        data = next((root for root in snapshots.resolve().parents if (root / "temporal" / "gold").is_dir()), None)
        folder = data / "temporal" if data else snapshots
        days = data / "more" / "days" if data else None
        long = find_snapshot_sites(folder)
        brief: list[SnapshotSite] = find_snapshot_sites(days) if days and days.is_dir() else []
        labelled = {site.site: site.gold for site in long}
        labelled |= {file.name.removesuffix(".jsonl.gz"): file for file in sorted(folder.glob("gold/*.jsonl.gz"))}
        addresses = [address for site, file in labelled.items() for address in site_addresses(site, file, brief=False)]
        addresses += [address for site in brief for address in site_addresses(site.site, site.gold, brief=True)]
        return cls(learned_tables(long, brief), AddressExamples.of(addresses, []))

    def fit(self, left_out: Collection[str] = ()) -> SiteModel:
        """Fit a model without some publishers: nothing of theirs reaches any part of it."""
        tables = [table for table in self.tables if table.publisher not in left_out]
        if not tables:
            named = ", ".join(sorted(left_out))
            raise InputError(
                f"the shipped model has learned from {named}, and the folder has no other publisher's sites to learn "
                "from instead: add some"
            )
        return fit_site_model(tables, self.addresses.without(left_out))


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the model and write it."""
    parser = argparse.ArgumentParser(prog="python -m broadsheet.training.site_training", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds temporal/ and more/days/")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder to write the trees and weights to")
    options = parser.parse_args(arguments)
    try:
        train(options.data, options.output)
    except BroadsheetError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def train(data: Path, output: Path) -> None:
    """Train the model on all publishers, and write what is shipped beside the model of addresses."""
    save_site_model(SiteLessons.read(data / "temporal").fit(), output)


if __name__ == "__main__":
    raise SystemExit(main())
