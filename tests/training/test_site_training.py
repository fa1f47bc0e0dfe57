"""The model of a source is trained the same way every time, and never on a publisher that is left out."""

from pathlib import Path

from broadsheet.training.site_training import MAX_PARTS, SiteLessons, publisher_parts, train
from tests.experiments.test_source_study import write_site

SITES = ("one.example", "two.example", "three.example", "four.example")


def write_data(folder: Path) -> Path:
    (folder / "temporal").mkdir(parents=True)
    for site in SITES:
        write_site(folder / "temporal", site)
    return folder


def test_training_again_gives_the_same_bytes(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")

    train(data, tmp_path / "first")
    train(data, tmp_path / "second")

    for name in ("links.npz", "joint.npz", "weights.jsonl"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def test_the_sites_to_learn_from_are_found_from_any_folder_below_the_data(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    (data / "more" / "days").mkdir(parents=True)
    below = data / "more" / "days" / "one.example"
    below.mkdir()
    for kind, name in (("links", "links.jsonl.xz"), ("gold", "gold.jsonl.gz")):
        suffix = name.removeprefix(kind)
        (below / name).write_bytes((data / "temporal" / kind / f"one.example{suffix}").read_bytes())

    lessons = SiteLessons.read(data / "more" / "days")

    assert {table.site for table in lessons.tables if not table.brief} == set(SITES)
    assert {table.site for table in lessons.tables if table.brief} == {"one.example"}
    assert "one.example" not in lessons.fit(["one.example"]).publishers


def test_a_folder_of_its_own_is_learned_from_alone(tmp_path: Path) -> None:
    write_site(tmp_path, "one.example")

    lessons = SiteLessons.read(tmp_path)

    assert {table.site for table in lessons.tables} == {"one.example"}


def test_few_publishers_are_left_out_one_by_one_and_many_in_parts() -> None:
    few = publisher_parts(["www.spiegel.de", "spiegeldaily.de", "welt.de"])
    many = publisher_parts(f"site-{number}.example" for number in range(3 * MAX_PARTS))

    assert few == {"spiegel": frozenset({"spiegel"}), "welt.de": frozenset({"welt.de"})}
    assert {len(part) for part in many.values()} == {3}
