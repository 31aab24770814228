import pytest

from assay.errors import DocumentNotFoundError, GlossaryError
from assay.terms import read_glossary

TABLE = """term,aliases,kind,language
deductible,excess;self-insured retention;SIR,insurance,en
免赔额,自负额 ; 起赔额,insurance,zh
"""


def test_reads_terms_with_their_other_names():
    glossary = read_glossary(TABLE)
    first, second = glossary.terms
    assert first.spellings == ("deductible", "excess", "self-insured retention", "SIR")
    assert (second.aliases, second.kind, second.language) == (
        ("自负额", "起赔额"),
        "insurance",
        "zh",
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_reads_files_as_spreadsheets_save_them(tmp_path, encoding):
    path = tmp_path / "terms.csv"
    path.write_bytes(TABLE.replace("\n", "\r\n").encode(encoding))
    assert read_glossary(path).digest == read_glossary(TABLE).digest


def test_tells_every_bad_row_with_its_line():
    with pytest.raises(GlossaryError) as caught:
        read_glossary(
            "term,kind,aliases\n"
            ",law\n"
            "x,law\n"
            "force majeure,two words\n"
            "Force  Majeure,law,vis major\n"
            "one,law,,extra\n"
            f"{'long ' * 60},law\n"
        )
    faults = [(row.line, row.complaint) for row in caught.value.rows]
    assert [line for line, _ in faults] == [2, 3, 4, 5, 6, 7]
    assert "already, in line 4" in faults[3][1]
    assert "line 7" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "term\n",
        "name,kind\nx y,law\n",
        "term,colour\nx y,red\n",
        "term,term\nx y,z w\n",
        'term\n"open\n',
    ],
)
def test_refuses_what_is_no_table_of_terms(text):
    with pytest.raises(GlossaryError):
        read_glossary(text)


def test_refuses_a_language_it_does_not_know_and_characters_that_cannot_be_seen():
    with pytest.raises(GlossaryError) as caught:
        read_glossary("term,language\nclause,fr\nzero\u200bwidth,en\n")
    assert [row.line for row in caught.value.rows] == [2, 3]


def test_says_that_a_file_is_not_there(tmp_path):
    with pytest.raises(DocumentNotFoundError):
        read_glossary(tmp_path / "none.csv")
