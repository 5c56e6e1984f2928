"""Tables as people have them: read like the clean one, read with a warning, or refused in one line."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT
from surveyauc.own_table import read_survey
from surveyauc.reading import SurveyError, read_table

MESSY = ROOT / "tests" / "messy"
EXPECTED = json.loads((MESSY / "expected.json").read_text())
CLEAN = (MESSY / "00_clean.csv").read_text()
SAME = [name for name, row in EXPECTED.items() if row.get("same_as") and row["verdict"] == "accept"]
OPTIONS = {name: row["with_option"] for name, row in EXPECTED.items() if "with_option" in row}


@pytest.fixture(scope="module")
def clean():
    return read_survey(MESSY / "00_clean.csv", "presence")


def write(folder, content):
    path = folder / "mine.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(folder, content, presence="presence", **options):
    return read_survey(write(folder, content), presence, **options)


def assert_same(survey, clean):
    np.testing.assert_array_equal(survey.labels, clean.labels)
    pd.testing.assert_frame_equal(survey.covariates[list(clean.covariates)], clean.covariates)
    assert survey.sites == clean.sites


@pytest.mark.parametrize("name", SAME)
def test_a_file_with_the_numbers_of_the_clean_one_is_read_as_it(name, clean):
    survey = read_survey(MESSY / name, "presence")
    if "levels" in EXPECTED[name]:  # the levels have other names
        assert survey.covariates["habitat"].value_counts().to_dict() == EXPECTED[name]["levels"]
        survey.covariates["habitat"] = clean.covariates["habitat"]
    assert_same(survey, clean)
    assert survey.warnings == []


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_answers_the_question(name, clean):
    option = OPTIONS[name]
    words = {key: option[key] for key in ("positive", "presence_if", "na_values") if key in option}
    survey = read_survey(MESSY / name, "presence", **words)
    assert (len(survey.labels), survey.labels.sum()) == (option["n"], option["presences"])
    if "same_as" in option:
        assert_same(survey, clean)


@pytest.mark.parametrize("name", [n for n, r in EXPECTED.items() if r["verdict"].startswith("accept") and "n" in r])
def test_sites_and_presences_are_those_expected(name):
    if name == "32_wide_species.csv":
        return
    survey, row = read_survey(MESSY / name, "presence"), EXPECTED[name]
    assert len(survey.labels) == row["n"]
    assert row.get("presences") in (None, survey.labels.sum())
    assert list(survey.dropped) == row.get("dropped_rows", [])
    assert all(site in " ".join(survey.warnings) for site in survey.dropped)


def words_of(sentence):
    """The names and numbers of a sentence, which must appear; its wording is free."""
    return set(re.findall(r"'[^']*'|S\d\d|-?\d+|\w+_\w+", sentence))


@pytest.mark.parametrize("name", [n for n, r in EXPECTED.items() if r["verdict"] == "refuse"])
def test_a_refusal_names_what_is_wrong(name):
    with pytest.raises(SurveyError) as error:
        read_survey(MESSY / name, "presence")
    message = str(error.value)
    assert "\n" not in message
    for word in words_of(EXPECTED[name]["error"]):
        assert word in message, word


@pytest.mark.parametrize("name", [n for n, r in EXPECTED.items() if "warning" in r and n != "24_pure_noise.csv"])
def test_a_warning_names_what_to_look_at(name):
    if name == "32_wide_species.csv":
        return
    warnings = " ".join(read_survey(MESSY / name, "presence").warnings)
    for word in words_of(EXPECTED[name]["warning"]):
        assert word in warnings, word


WAYS = {  # the clean table, written in other ways
    "tabs": CLEAN.replace(",", "\t"),
    "bars": CLEAN.replace(",", "|"),
    "blanks": CLEAN.replace(",", "  "),
    "excel": "sep=;\n" + CLEAN.replace(",", ";"),
    "excel_decimal_comma": '"sep=;"\r\n' + CLEAN.replace(",", ";").replace(".", ",").replace("\n", "\r\n"),
    "old_mac": CLEAN.replace("\n", "\r"),
    "utf16": CLEAN.encode("utf-16"),
    "bom_and_blanks": "\ufeff" + CLEAN.replace(",", " , "),
    "commas_at_the_end": CLEAN.replace("\n", ",\n"),
    "many_commas_at_the_end": CLEAN.replace("\n", ",,,\n") + ",,,,,,,\n,,,,,,,\n",
    "quoted": re.sub(r"([^,\n]+)", r'"\1"', CLEAN),
    "no_last_line_end": CLEAN.rstrip("\n"),
    "row_names_of_r": re.sub(r"\n(.)", r"\n\1", CLEAN.replace("site,", "", 1)),
    "unnamed_row_names": CLEAN.replace("site,", ",", 1),
    "true_false": re.sub(r",1,", ",TRUE,", re.sub(r",0,", ",FALSE,", CLEAN)),
    "words": re.sub(r",1,", ",Present,", re.sub(r",0,", ",absent ,", CLEAN)),
    "plus_minus": re.sub(r",1,", ",+,", re.sub(r",0,", ",-,", CLEAN)),
    "floats": re.sub(r",1,", ",1.00,", re.sub(r",0,", ",0.0,", CLEAN)),
    "true_and_false_in_german": re.sub(r",1,", ",WAHR,", re.sub(r",0,", ",FALSCH,", CLEAN)),
    "commas_at_the_end_of_rows_only": CLEAN.replace("\n", ",\n").replace("habitat,", "habitat", 1),
    "utf16_without_a_mark": CLEAN.encode("utf-16-le"),
    "sep_line_with_a_tab": "sep=\t\n" + CLEAN.replace(",", "\t"),
    "what_cannot_be_seen": CLEAN.replace("bog", "bog\u200b").replace("heath", "\u00a0heath"),
    "end_of_file_sign": CLEAN + "\x1a",
    "numbered_rows": "row,"
    + "".join(f"{k}," * (k > 0) + line + "\n" for k, line in enumerate(CLEAN.strip().split("\n"))),
    "real_minus": CLEAN.replace("381.0", "+381.00"),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_clean_table_written_in_other_ways(tmp_path, clean, way):
    assert_same(read(tmp_path, WAYS[way]), clean)


def semicolons(depths, sign=";"):
    """A table of ponds with these texts as depths."""
    rows = [f"P{k:02d}{sign}{int(k % 3 == 0)}{sign}{depth}{sign}{k % 5}.5" for k, depth in enumerate(depths)]
    return "\n".join([f"pond{sign}presence{sign}depth{sign}ph", *rows]) + "\n"


REFUSED = {  # a table, options, and what the one line says
    "empty": ("", {}, "the file is empty"),
    "header_only": ("site,presence,x\n", {}, "the table has a header and no rows"),
    "zip": (b"PK\x03\x04 rest", {}, "an Excel or zip file, not a text table; save it as CSV"),
    "old_excel": (b"\xd0\xcf\x11\xe0\x00\x00", {}, "not a text table; save it as CSV"),
    "wrong_encoding": ("site,presence,x\nA,1,é\n".encode("latin-1"), {"encoding": "utf-8"}, "line 2 is not utf-8"),
    "no_encoding": (CLEAN, {"encoding": "utf-9"}, "no encoding 'utf-9'"),
    "other_column": (CLEAN, {"presence": "newt"}, "no column 'newt'; there are: site, presence, elevation_m"),
    "no_name": ("site,presence,,x\nA,1,2,3\nB,0,3,4\n", {}, "column 3 has no name"),
    "short_row": ("site,presence,x\nA,1,2\nB,0\n", {}, "line 3 has 2 fields, the header has 3"),
    "text": ("site,presence,x\nA,1,2\nB,maybe,3\nC,0,1\nD,1,3\n", {}, "'maybe' at B is neither presence nor absence"),
    "levels": ("site,state,x\nA,red,2\nB,blue,3\nC,green,1\n", {"presence": "state"}, "red, blue, green"),
    "two_words": ("site,state,x\nA,case,2\nB,control,3\n", {"presence": "state"}, "values case and control; which one"),
    "thousands": ("site;presence;x\nA;1;1,234\nB;0;2,345\nC;1;3,456\n", {}, "is '1,234' more than a thousand?"),
    "positive": (CLEAN, {"positive": "2"}, "no site has '2'; there are: 0, 1"),
    "rule": (CLEAN, {"presence_if": "many"}, "the presence rule 'many' is not a comparison such as '> 0'"),
    "both": (CLEAN, {"presence_if": "> 0", "positive": "1"}, "not both"),
    "rule_of_words": ("site,n,x\nA,few,2\nB,3,3\n", {"presence": "n", "presence_if": "> 0"}, "'few' at A is no number"),
    "presence_twice": (CLEAN, {"covariates": ["presence"]}, "is the presence and cannot be a covariate"),
    "nothing_left": ("site,presence,x\nA,1,2\nB,0,2\nC,1,2\nD,0,2\n", {}, "no covariate is left"),
    "one_absence": ("site,presence,x\nA,1,2\nB,0,1\nC,1,4\n", {}, "1 absence: leaving it out leaves none to fit"),
    "blank_block": (CLEAN.replace("88.9,bog", "88.9,"), {"group": "habitat"}, "habitat: no value at S01"),
    "empty_column": (CLEAN.replace("\n", ",\n").replace("habitat,", "habitat,ph"), {"covariates": ["ph"]}, "no value"),
    "comma_in_a_row": (
        "pond,presence,depth\nA,1,8,5\nB,0,9,5\nC,1,7,1\n",
        {},
        "line 2 has 4 fields, the header has 3 (an unquoted comma?)",
    ),
    "points_for_thousands": (semicolons(["381", "1.239", "801", "2.020", "450", "390"]), {}, "is '1.239' more than a"),
    "units": (semicolons([f"{k}.5 m" for k in range(9)]), {}, "'0.5 m' at P00 is a number with 'm'"),
    "per_cent": (semicolons([f"{k} %" for k in range(9)]), {}, "'0 %' at P00 is a number with '%'"),
    "currency": (semicolons([f"${k}" for k in range(9)]), {}, "'$0' at P00 is a number with '$'"),
    "few_units": (semicolons(["5 m", "10 m", "20 m"] * 3), {}, "'5 m' at P00 is a number with 'm'"),
    "other_decimal": (semicolons(["0,5", "1,25"] * 5), {"decimal": "."}, "a number if the decimal sign is ','"),
    "no_data_of_gis": (semicolons([*range(8), "-3.4028235e38"]), {}, "-3.4028235e38 at P08 is no measurement"),
    "stray_quote": (CLEAN.replace("S03", '"S03').replace("S07", '"S07'), {}, "line 4: a quotation mark opens a text"),
    "stray_quote_to_the_end": (CLEAN.replace("S03", '"S03'), {}, "line 4: a quotation mark opens a text"),
    "title": ("Ponds of 2020\n" + CLEAN, {}, "is there a title above the header"),
    "code_in_counts": (
        CLEAN.replace(",1,", ",3,").replace("S01,3", "S01,-9999").replace("S01,0", "S01,-9999"),
        {"presence_if": "> 0"},
        "-9999 at S01 is no count: a missing-value code?",
    ),
    "code_among_labels": (CLEAN.replace("S01,0", "S01,-9999").replace("S01,1", "S01,-9999"), {}, "-9999 at S01 is no"),
    "rule_of_none": (CLEAN, {"presence_if": "> 1"}, "'> 1' holds at no site; an AUC needs both classes"),
    "near_name": (CLEAN, {"covariates": ["elevation"]}, "no column 'elevation' (did you mean elevation_m?)"),
    "names_with_a_comma": (CLEAN, {"covariates": ["elevation_m,canopy_pct"]}, "several names are separated by blanks"),
    "covariate_twice": (CLEAN, {"covariates": ["canopy_pct", "canopy_pct"]}, "'canopy_pct' is named twice"),
    "wrong_separator": (CLEAN.replace(",", ";"), {"separator": "|"}, "is another sign between the columns?"),
    "long_separator": (CLEAN, {"separator": ";;"}, "the separator ';;' is not one character"),
    "no_such_codec": (CLEAN, {"encoding": "undefined"}, "encoding 'undefined'"),
    "group_of_the_presence": (CLEAN, {"group": "presence"}, "left to fit"),
    "two_groups": (
        "site,presence,x,b\n" + "".join(f"{k},{int(k % 3 == 0)},{k % 4},{k % 2}\n" for k in range(12)),
        {"group": "b"},
        "b: without 0 and 1, held out together, no presences are left to fit",
    ),
    "line_end_in_a_name": (
        'site,presence,"x\n(m)"\nA,1,2\nB,0,1\n',
        {"presence": "newt"},
        "there are: site, presence, x (m)",
    ),
    "all_blank": ("site,presence,x\nA,,2\nB,,1\n", {}, "no row has all values"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_refused_in_one_line(tmp_path, case):
    content, options, says = REFUSED[case]
    with pytest.raises(SurveyError) as error:
        read(tmp_path, content, **options)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_thousands_may_be_declared_decimals(tmp_path):
    survey = read(tmp_path, semicolons(["381", "1.239", "801", "2.020", "450", "390"]), decimal=".")
    assert survey.covariates["depth"].tolist() == [381, 1.239, 801, 2.02, 450, 390]


def test_one_code_with_a_point_does_not_turn_commas_off(tmp_path):
    content = CLEAN.replace(".", ",").replace(",", ";")
    content = "\n".join(
        f"{line};{'version' if k == 0 else '1.1'}" for k, line in enumerate(semicolon_clean().strip().split("\n"))
    )
    with pytest.raises(SurveyError, match=r"version: '1.1' at S01 is a number if the decimal sign is '\.'"):
        read(tmp_path, content)
    assert len(read(tmp_path, content, covariates=["elevation_m", "canopy_pct"]).labels) == 32


def semicolon_clean():
    return "\n".join(re.sub(r"(\d)\.(\d)", r"\1,\2", line.replace(",", ";")) for line in CLEAN.split("\n"))


@pytest.mark.parametrize(
    "word", ["<NA>", "NaT", "n.a.", "#REF!", "#NV", "#WERT!", "\\N", "<Null>", "NoData", "(blank)", "—"]
)
def test_words_for_missing_values(tmp_path, word):
    survey = read(tmp_path, CLEAN.replace("bog", word, 1))
    assert list(survey.dropped.values()) == ["no value in habitat"]


@pytest.mark.parametrize("code", ["-99", "-999.25", "-9999"])
def test_a_negative_code_among_numbers_above_zero_is_asked_about(tmp_path, code):
    survey = read(tmp_path, semicolons([*range(0, 3000, 200), code]))
    assert f"depth: value {code} occurs once" in " ".join(survey.warnings)


@pytest.mark.parametrize(
    "name", ["Site ID", "site no", "site_code", "plot.id", "SampleID", "transect", "patient_id", "Subject", "location"]
)
def test_names_of_sites_by_which_rows_belong_together(tmp_path, name):
    """Four visits to each of eight sites, behind a column that numbers the rows."""
    rows = [f"{k},W{k % 8},{int(k % 8 in (1, 2, 6) or k == 3)},{k * 7 % 11}" for k in range(32)]
    survey = read(tmp_path, "\n".join([f"fid,{name},presence,depth", *rows]))
    assert list(survey.covariates) == ["depth"]
    assert survey.group == name
    assert len(set(survey.groups)) == 8
    assert "sites that occur more than once: W0 4 times" in " ".join(survey.warnings)
    assert "fid: by the name, a name of sites or rows, left out" in survey.warnings


def test_many_names_that_repeat_are_no_covariate(tmp_path):
    """Observers, each with a few rows."""
    lines = CLEAN.strip().split("\n")
    named = "\n".join([lines[0] + ",observer", *(f"{line},O{k % 14}" for k, line in enumerate(lines[1:]))])
    survey = read(tmp_path, named)
    assert "observer" not in survey.covariates
    assert "if they say which rows belong together, name it as the group" in survey.warnings[0]


def test_a_column_with_many_blanks_does_not_cost_rows(tmp_path, clean):
    lines = CLEAN.strip().split("\n")
    noted = "\n".join([lines[0] + ",notes", *(f"{line},{'dry' if k % 3 else ''}" for k, line in enumerate(lines[1:]))])
    survey = read(tmp_path, noted)
    assert_same(survey, clean)
    assert survey.warnings[0].startswith("notes: no value at 11 of 32 sites, left out")
    assert (
        len(read(tmp_path, noted.replace("dry", "dry", 1), covariates=["elevation_m", "notes"], group=None).labels)
        == 21
    )


def test_copies_of_rows_are_asked_about(tmp_path):
    rows = CLEAN.strip().split("\n")
    twice = "\n".join([rows[0], *rows[1:], *(re.sub("^S", "T", row) for row in rows[1:])])
    assert "64 rows are copies of one another but for their names" in " ".join(read(tmp_path, twice).warnings)


def test_a_note_over_two_lines_is_no_stray_quote(tmp_path, clean):
    content = CLEAN.replace("habitat", "habitat,note").replace("bog", 'bog,"wet,\ncold"')
    content = re.sub(r",(heath|wood)\n", r",\1,dry\n", content)
    survey = read(tmp_path, content, covariates=list(clean.covariates))
    assert_same(survey, clean)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SurveyError, match="cannot be opened"):
        read_survey(tmp_path / "none.csv", "presence")


def test_latin_letters_are_read_and_said(tmp_path):
    survey = read(tmp_path, CLEAN.replace("bog", "tourbière").encode("latin-1"))
    assert "tourbière" in set(survey.covariates["habitat"])
    assert survey.notes == ["read as Windows-1252; name the encoding if letters look wrong"]


def test_free_text_is_left_out_unless_it_is_asked_for(tmp_path):
    lines = CLEAN.strip().split("\n")
    noted = "\n".join([lines[0] + ",remarks", *(f"{line},seen by no. {k}" for k, line in enumerate(lines[1:]))])
    survey = read(tmp_path, noted)
    assert "remarks" not in survey.covariates
    assert survey.warnings == ["remarks: 32 different texts at 32 sites, left out"]
    with pytest.raises(SurveyError, match="32 different texts at 32 sites are no category"):
        read(tmp_path, noted, covariates=["elevation_m", "remarks"])


def test_columns_that_say_nothing_are_left_out(tmp_path, clean):
    lines = CLEAN.strip().split("\n")
    header = lines[0] + ",no,ph"
    survey = read(tmp_path, "\n".join([header, *(f"{line},{k + 1}," for k, line in enumerate(lines[1:]))]))
    assert survey.warnings == ["no: numbers the rows, left out", "ph: no value at any site, left out"]
    assert_same(survey, clean)


def test_codes_can_be_declared_names_of_categories(tmp_path):
    coded = CLEAN.replace("bog", "1").replace("heath", "2").replace("wood", "3")
    assert read(tmp_path, coded).covariates["habitat"].dtype == float
    assert set(read(tmp_path, coded, categorical=["habitat"]).covariates["habitat"]) == {"1", "2", "3"}


def test_the_same_numbers_twice_are_said(tmp_path):
    lines = CLEAN.strip().split("\n")
    feet = [f"{line},{float(line.split(',')[2]) * 3.28}" for line in lines[1:]]
    survey = read(tmp_path, "\n".join([lines[0] + ",elevation_ft", *feet]))
    assert survey.warnings == ["elevation_m and elevation_ft carry the same numbers (correlation 1): one is enough"]


def test_sites_without_a_column_are_named_by_their_line(tmp_path):
    survey = read(tmp_path, "seen,x\n1,2\n\n0,3\n1,4\n0,\n0,9\n", presence="seen")
    assert survey.sites == ["row 2", "row 4", "row 5", "row 7"]
    assert list(survey.dropped) == ["row 6"]


def test_a_block_column_groups_the_rows(tmp_path):
    survey = read(tmp_path, CLEAN, group="habitat")
    assert "habitat" not in survey.covariates
    assert set(survey.groups) == {"bog", "heath", "wood"}


def test_cells_are_texts_as_they_stand(tmp_path):
    table = read_table(write(tmp_path, 'a,b\n"1,5", x \n"say ""no""",3\n'))
    assert table.columns == {"a": ["1,5", 'say "no"'], "b": ["x", "3"]}
    assert table.lines == [2, 3]
