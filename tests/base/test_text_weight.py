from broadsheet.base.text_weight import weight


def test_a_character_of_a_dense_script_counts_twice() -> None:
    assert weight("news") == 4
    assert weight("νέα") == 3
    assert weight("新聞") == 4
    assert weight("") == 0
