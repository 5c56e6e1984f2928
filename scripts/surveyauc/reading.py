"""Read a survey as people have it: a text table of one row per site, from whatever program wrote it.

`read_table` takes the file apart into texts. `read_survey` decides what each column is and which rows can be used.
What it had to guess or leave out it says in ``notes`` (as it should be) and ``warnings`` (to be looked at), in plain
sentences; what it must not guess it refuses with a `SurveyError` of one line that names the column and the row.
"""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
MISSING = {"", "na", "n/a", "#n/a", "nan", "null", "-", "--", ".", "?", "missing", "#null!", "#value!", "#div/0!"}
YES = {"1", "yes", "y", "true", "t", "present", "presence", "detected", "occupied", "seen", "+"}
NO = {"0", "no", "n", "false", "f", "absent", "absence", "not detected", "undetected", "empty", "not seen", "-"}
SENTINELS = {-9999.0, -999.0, -99.0, -9.0, 999.0, 9999.0, 99999.0, -99999.0, -32768.0, -1.0, 99.0}
SITE_NAMES = {"site", "site_id", "siteid", "plot", "plot_id", "plotid", "station", "sample", "id", "pond", "quadrat"}
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
MOST_LEVELS = 12  # of a category; a column of words with more is free text
MOSTLY = 0.5  # share of numbers from which a column is one of numbers in which words are mistakes


class SurveyError(ValueError):
    """A table that cannot be used as it is; the message is one line."""


@dataclass
class Survey:
    """sites : (sites,) names of the rows used; labels : (sites,) 0/1; covariates : DataFrame of the rows used, floats
    and texts; groups : (sites,) what belongs together; dropped : name and reason of every row left out; notes and
    warnings : sentences"""

    sites: list
    labels: np.ndarray
    covariates: pd.DataFrame
    groups: np.ndarray
    dropped: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    warnings: list = field(default_factory=list)


@dataclass
class Table:
    """columns : texts by name, all of one length; lines : line of the file of every row; notes : sentences"""

    columns: dict
    lines: list
    notes: list


def read_table(path, separator=None, encoding=None, quote='"'):
    """The cells of a table as texts, stripped. Raises SurveyError."""
    notes = []
    text = _decoded(Path(path), encoding, notes)
    lines = text.split("\n")
    first = re.fullmatch(r'"?sep=(.)"?;*', lines[0].strip(), re.IGNORECASE)
    skipped = 0
    if first:  # Excel's own line
        separator, lines, skipped = separator or first[1], lines[1:], 1
    separator = {"tab": "\t", "whitespace": "whitespace"}.get(separator, separator)
    if separator is None:
        separator = _separator(lines)
        if separator != ",":
            notes.append(f"columns are separated by {SEPARATORS.get(separator, 'blanks')}")
    rows = []
    if separator == "whitespace":
        source = csv.reader((re.sub(r"[ \t]+", " ", line.strip()) for line in lines), delimiter=" ", quotechar=quote)
    else:
        source = csv.reader(
            io.StringIO("\n".join(lines), newline=""), delimiter=separator, quotechar=quote, skipinitialspace=True
        )
    try:
        for cells in source:
            cells = [cell.strip() for cell in cells]
            if any(cells):
                rows.append((source.line_num + skipped, cells))
    except csv.Error as error:
        raise SurveyError(f"line {source.line_num + skipped} cannot be read ({error})") from None
    if not rows:
        raise SurveyError("the file is empty")
    (_, header), body = rows[0], rows[1:]
    if not body:
        raise SurveyError("the table has a header and no rows")
    while header and header[-1] == "" and all(len(c) < len(header) or c[len(header) - 1] == "" for _, c in body):
        last = len(header) - 1  # a comma too many at the end of every line
        header, body = header[:-1], [(n, cells[:last] if len(cells) == last + 1 else cells) for n, cells in body]
    if all(len(cells) == len(header) + 1 for _, cells in body):
        header = ["", *header]  # R writes row names without a name
    for line, cells in body:
        if len(cells) != len(header):
            cause = " (an unquoted comma?)" if len(cells) > len(header) and separator == "," else ""
            raise SurveyError(f"line {line} has {len(cells)} fields, the header has {len(header)}{cause}")
    names = _names(header, body)
    columns = {name: [cells[k] for _, cells in body] for k, name in enumerate(names)}
    return Table(columns, [line for line, _ in body], notes)


def _decoded(path, encoding, notes):
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SurveyError(f"cannot be opened ({error.strerror})") from None
    if b"\x00" in content[:4000] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SurveyError("not a text table; save it as CSV")
    if content.startswith(b"PK\x03\x04"):
        raise SurveyError("an Excel or zip file, not a text table; save it as CSV")
    try:
        if encoding:
            text = content.decode(encoding)
        elif content.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = content.decode("utf-16")
        else:
            text = content.decode("utf-8-sig")
    except LookupError:
        raise SurveyError(f"no encoding {encoding!r}; usual ones are utf-8, cp1252, latin-1, utf-16") from None
    except UnicodeDecodeError as error:
        if encoding:
            line = content[: error.start].count(b"\n") + 1
            raise SurveyError(f"line {line} is not {encoding}; usual encodings are utf-8, cp1252, latin-1") from None
        text = content.decode("cp1252", errors="replace")
        notes.append("read as Windows-1252; name the encoding if letters look wrong")
    return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _separator(lines):
    """The separator that cuts the header and most lines after it into the same number of fields, more than one."""
    sample = [line for line in lines[:200] if line.strip()]
    best, most = ",", (0, 0)
    for candidate in SEPARATORS:
        counts = [len(row) for row in csv.reader(sample, delimiter=candidate) if row]
        if counts and counts[0] > 1:
            agreeing = sum(count == counts[0] for count in counts)
            if (agreeing, counts[0]) > most:
                best, most = candidate, (agreeing, counts[0])
    if most == (0, 0):
        counts = [len(line.split()) for line in sample]
        if counts and min(counts) > 1:
            return "whitespace"
    return best


def _names(header, body):
    names = []
    for k, name in enumerate(header):
        if name == "" and k == 0:
            name = "row"
        if name == "":
            raise SurveyError(f"column {k + 1} has no name")
        if name in names:
            raise SurveyError(f"column name {name!r} occurs twice (columns {names.index(name) + 1} and {k + 1})")
        names.append(name)
    return names


def read_survey(path, presence, covariates=None, separator=None, encoding=None, **columns):
    """The survey in a file; ``columns`` as `survey_of` takes them. Raises SurveyError."""
    return survey_of(read_table(path, separator, encoding), presence, covariates, **columns)


def survey_of(
    table,
    presence,
    covariates=None,
    site=None,
    group=None,
    positive=None,
    presence_if=None,
    na_values=(),
    categorical=(),
    decimal=None,
    ignored=(),
):
    """The survey in a `Table`.

    presence : column; covariates : columns, default all but presence, site and group; site : column that names the
    sites, found by its name or its place where it is not given; group : column of what must be held out together,
    default the sites themselves; positive : the label that means presence; presence_if : a rule such as "> 0" for
    counts; na_values : codes for missing values, besides blanks and the usual words; categorical : columns whose
    numbers are names; decimal : "." or ","; ignored : columns that are no covariates, as other species are not

    Raises SurveyError, one line that names the column and the row.
    """
    columns = table.columns
    for name in [presence, *(covariates or []), *filter(None, [site, group]), *categorical]:
        if name not in columns:
            raise SurveyError(f"no column {name!r}; there are: {', '.join(columns)}")
    if presence in (covariates or []):
        raise SurveyError(f"column {presence!r} is the presence and cannot be a covariate")
    missing = _missing_words(na_values, columns)
    site = site or _site_column(columns, {presence, *(covariates or []), *ignored})
    decimal = decimal or _decimal(columns, site)
    notes, warnings = list(table.notes), []
    if decimal == ",":
        notes.append("numbers have a decimal comma")
    names = columns[site] if site else [f"row {line}" for line in table.lines]
    names = [name or f"row {line}" for name, line in zip(names, table.lines, strict=True)]

    labels = _labels(presence, columns[presence], names, positive, presence_if, missing, decimal, notes)
    chosen = covariates or [name for name in columns if name not in {presence, site, group, *ignored}]
    mistakes = [_mistakes(name, columns[name], names, missing, decimal) for name in chosen if name not in categorical]
    if any(mistakes):
        raise SurveyError(f"{'; '.join(filter(None, mistakes))}: correct them or declare the column categorical")
    parsed = {}
    for name in chosen:
        column = _covariate(
            name, columns[name], missing, decimal, name in categorical, name in (covariates or []), warnings
        )
        if column is not None:
            parsed[name] = column
    frame = pd.DataFrame(parsed, index=range(len(names)))
    dropped = {}
    for k, name in enumerate(names):
        if np.isnan(labels[k]):
            dropped[name] = f"no value in {presence}"
        else:
            blank = [column for column in frame if pd.isna(frame.at[k, column])]
            if blank:
                dropped[name] = f"no value in {' and '.join(blank)}"
    if len(set(names)) < len(names):  # names that repeat cannot say which row was left out
        rows = [k for k in range(len(names)) if np.isnan(labels[k]) or frame.iloc[k].isna().any()]
        dropped = {f"{names[k]} (line {table.lines[k]})": dropped[names[k]] for k in rows}
        used = [k for k in range(len(names)) if k not in set(rows)]
    else:
        used = [k for k, name in enumerate(names) if name not in dropped]
    if dropped:
        warnings.append(f"{len(dropped)} of {len(names)} rows left out, with no value: {', '.join(dropped)}")
    labels, frame = labels[used].astype(int), frame.iloc[used].reset_index(drop=True)
    sites = [names[k] for k in used]
    _check_classes(presence, labels)
    frame = _without_constants(frame, covariates, warnings)
    if frame.shape[1] == 0:
        raise SurveyError("no covariate is left; name columns with numbers or categories")
    _look_at(frame, labels, sites, presence, warnings)
    for k in used if group else []:
        if columns[group][k].lower() in missing:
            raise SurveyError(f"{group}: no value at {names[k]}; every row that is used needs its block")
    groups = np.array([columns[group][k] if group else names[k] for k in used])
    if not group:
        repeats = {name: count for name, count in Counter(sites).items() if count > 1}
        if repeats:
            counts = ", ".join(f"{name} {count} times" for name, count in repeats.items())
            warnings.append(
                f"sites that occur more than once: {counts}; rows of one site are left out together and make no pairs"
            )
    return Survey(sites, labels, frame, groups, dropped, notes, warnings)


def _missing_words(na_values, columns):
    """The words, in small letters, that stand for a missing value; a code is one however the number is written."""
    words = MISSING | {str(code).strip().lower() for code in na_values}
    codes = {float(code) for code in map(str, na_values) if NUMBER.fullmatch(code.strip())}
    if codes:
        cells = {cell for column in columns.values() for cell in column}
        words = words | {cell.lower() for cell in cells if _number(cell.replace(",", "."), ".") in codes}
    return words


def _site_column(columns, taken):
    """The column that names the sites: by its name, or one of words that are all different."""
    for name in columns:
        if name not in taken and (name.lower() in SITE_NAMES or name == "row"):
            return name
    for name, cells in columns.items():
        if name not in taken and len(set(cells)) == len(cells) and not any(map(NUMBER.fullmatch, cells)):
            return name
    return None


def _decimal(columns, site):
    """ "," where numbers have a comma and none a point; refused where it could set off thousands."""
    comma = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?")
    found = [(name, cell) for name, cells in columns.items() if name != site for cell in cells if comma.fullmatch(cell)]
    points = any(
        re.fullmatch(r"[-+]?\d*\.\d+", cell) for name, cells in columns.items() if name != site for cell in cells
    )
    if not found or points:
        return "."
    if all(re.fullmatch(r"[-+]?[1-9]\d{0,2},\d{3}", cell) for _, cell in found):
        name, cell = found[0]
        raise SurveyError(f"column {name!r}: is {cell!r} more than a thousand? Say decimal ',' or remove the commas")
    return ","


def _number(cell, decimal):
    """A float, or None where the text is none."""
    cell = cell.replace("\u2212", "-")
    if decimal == ",":
        cell = cell.replace(",", ".") if "." not in cell else ""
    return float(cell) if NUMBER.fullmatch(cell) and np.isfinite(float(cell)) else None


def _labels(name, cells, sites, positive, rule, missing, decimal, notes):
    """0, 1 or, where there is none, nan for every row."""
    seen = {cell.lower() for cell in cells}
    if "+" in seen or seen <= {"-", "+"}:
        missing = missing - {"-"}
    present = [cell for cell in cells if cell.lower() not in missing]
    levels = dict.fromkeys(present)
    numbers = {level: _number(level, decimal) for level in levels}
    if positive is not None and rule is not None:
        raise SurveyError("say which label means presence or a rule for it, not both")
    if rule is not None:
        match = re.fullmatch(r"\s*(>=|<=|==|=|>|<)\s*(\S+)\s*", rule)
        threshold = _number(match[2], ".") if match else None
        if threshold is None:
            raise SurveyError(f"the presence rule {rule!r} is not a comparison such as '> 0'")
        for cell, site in zip(cells, sites, strict=True):
            if cell.lower() not in missing and numbers[cell] is None:
                raise SurveyError(f"column {name!r}: {cell!r} at {site} is no number, so {rule!r} says nothing of it")
        compare = {">": np.greater, "<": np.less, ">=": np.greater_equal, "<=": np.less_equal}.get(match[1], np.equal)
        meaning = {level: int(compare(number, threshold)) for level, number in numbers.items()}
        notes.append(f"presence means {name} {match[1]} {match[2]}")
    elif positive is not None:
        meaning = {level: int(_same(level, positive, decimal)) for level in levels}
        if 1 not in meaning.values():
            raise SurveyError(f"column {name!r}: no site has {str(positive)!r}; there are: {_listed(levels)}")
        if len(_values(levels, decimal)) > 2:
            others = [level for level in levels if not meaning[level]]
            notes.append(f"{name}: {positive} means presence, all others absence: {_listed(others)}")
    elif all(number in (0.0, 1.0) for number in numbers.values()):
        meaning = {level: int(number) for level, number in numbers.items()}
    elif all(level.lower() in YES | NO for level in levels):
        meaning = {level: int(level.lower() in YES) for level in levels}
        notes.append(f"{name}: {_listed(dict.fromkeys(v.lower() for v in levels if meaning[v]))} means presence")
    else:
        _refuse_levels(name, cells, sites, levels, numbers, missing, decimal)
    return np.array([np.nan if cell.lower() in missing else meaning[cell] for cell in cells])


def _refuse_levels(name, cells, sites, levels, numbers, missing, decimal):
    """Say what would make labels of these values."""
    values = _values(levels, decimal)
    if None not in numbers.values() and len(values) > 2:
        low, high = min(numbers.values()), max(numbers.values())
        raise SurveyError(
            f"presence column {name!r} has {len(values)} different values ({low:g}..{high:g}): counts? say presence "
            "means '> 0'"
        )
    if len(values) <= 2:
        first = " and ".join(map(str, values))
        raise SurveyError(
            f"presence column {name!r} has values {first}; which one means presence? name it (e.g. positive: "
            f"{values[-1]})"
        )
    usual = [level for level in levels if numbers[level] in (0.0, 1.0) or level.lower() in YES | NO]
    if usual:
        odd, site = next(
            (c, s) for c, s in zip(cells, sites, strict=True) if c not in usual and c.lower() not in missing
        )
        raise SurveyError(f"presence column {name!r}: {odd!r} at {site} is neither presence nor absence; correct it")
    raise SurveyError(
        f"presence column {name!r} has {len(values)} different values: {_listed(levels)}; which one means presence?"
    )


def _same(level, label, decimal):
    number, other = _number(level, decimal), _number(str(label), decimal)
    return level == str(label) or (number is not None and number == other) or level.lower() == str(label).lower()


def _values(levels, decimal):
    """Different values, 1 and 1.0 being one."""
    numbers = {level: _number(level, decimal) for level in levels}
    if None in numbers.values():
        return list(dict.fromkeys(level.lower() for level in levels))
    return [f"{number:g}" for number in sorted(set(numbers.values()))]


def _listed(values, most=6):
    values = [str(value) for value in values]
    return ", ".join(values[:most]) + (f" and {len(values) - most} more" if len(values) > most else "")


def _mistakes(name, cells, sites, missing, decimal):
    """What is no number in a column that is mostly numbers; empty where there is none, or the words are most."""
    plain = {k: cell for k, cell in enumerate(cells) if cell.lower() not in missing | {"none"}}
    words = {k: cell for k, cell in plain.items() if _number(cell, decimal) is None}
    if not words or len(words) > (1 - MOSTLY) * len(plain):
        return ""
    where = [f"{cell!r} at {sites[k]}" for k, cell in words.items()]
    texts = "1 text" if len(words) == 1 else f"{len(words)} texts"
    return f"{name}: {len(plain) - len(words)} numbers and {texts} ({_listed(where)})"


def _covariate(name, cells, missing, decimal, categorical, asked_for, warnings):
    """A column of floats, or of texts where it is a category, missing values being nan and None; None when it is free
    text, which is left out with a warning unless it was asked for. Among words None may be a level, as in many a
    habitat table; among numbers it is missing."""
    numbers = [_number(cell, decimal) for cell in cells if cell.lower() not in missing | {"none"}]
    if not numbers and all(cell.lower() in missing for cell in cells):
        if asked_for:
            raise SurveyError(f"{name}: no value at any site")
        warnings.append(f"{name}: no value at any site, left out")
        return None
    if not asked_for and numbers in ([float(k) for k in range(len(cells))], [k + 1.0 for k in range(len(cells))]):
        warnings.append(f"{name}: numbers the rows, left out")
        return None
    if not categorical and numbers and None not in numbers:
        none = sum(cell.lower() == "none" for cell in cells)
        if none:
            warnings.append(f"{name}: the word None among numbers was taken as missing ({_times(none)})")
        values = [np.nan if cell.lower() in missing | {"none"} else _number(cell, decimal) for cell in cells]
        _look_for_codes(name, values, warnings)
        return values
    levels = Counter(cell for cell in cells if cell.lower() not in missing)
    if len(levels) > MOST_LEVELS and len(levels) > MOSTLY * sum(levels.values()):
        if asked_for:
            raise SurveyError(f"{name}: {len(levels)} different texts at {sum(levels.values())} sites are no category")
        warnings.append(f"{name}: {len(levels)} different texts, left out")
        return None
    folded = Counter(level.lower() for level in levels)
    for word in [word for word, count in folded.items() if count > 1]:
        twins = [level for level in levels if level.lower() == word]
        warnings.append(f"{name}: {' and '.join(map(repr, twins))} differ in capitals only and are taken as different")
    return [None if cell.lower() in missing else cell for cell in cells]


def _times(count):
    return "once" if count == 1 else f"{count} times"


def _look_for_codes(name, values, warnings):
    """Warn of codes for missing values: usual ones that lie far outside the rest."""
    known = np.array([value for value in values if not np.isnan(value)])
    for code in sorted(SENTINELS & set(known)):
        rest = known[~np.isin(known, list(SENTINELS))]
        if rest.size < 2:
            continue
        low, high = rest.min(), rest.max()
        reach = max(high - low, 1e-12)
        if code < low - 2 * reach or code > high + 2 * reach:
            count = int((known == code).sum())
            warnings.append(
                f"{name}: value {code:g} occurs {_times(count)} and lies far outside the rest: a missing-value code? "
                "(declare it under na_values)"
            )


def _check_classes(name, labels):
    sites, presences = len(labels), int(labels.sum())
    if sites == 0:
        raise SurveyError("no row has all values")
    if presences == 0 or presences == sites:
        what = "presences" if presences == 0 else "absences"
        raise SurveyError(f"{name}: 0 {what} among {sites} sites: AUC needs both")
    smaller = min(presences, sites - presences)
    if smaller == 1:
        what = "presence" if presences == 1 else "absence"
        raise SurveyError(
            f"{name}: 1 {what}: leaving it out leaves none to fit; at least 2 are needed (5 or more advised)"
        )


def _without_constants(frame, asked_for, warnings):
    constant = [name for name in frame if frame[name].nunique() < 2]
    if constant:
        warnings.append(f"{', '.join(constant)}: one value only, left out")
    return frame.drop(columns=constant)


def _look_at(frame, labels, sites, presence, warnings):
    """Warn of what makes an AUC mean less than it seems."""
    smaller = min(labels.sum(), len(labels) - labels.sum())
    if smaller < 5:
        warnings.append(f"only {smaller} sites in the smaller class: the AUC says little, and no interval is given")
    for name in frame:
        values = frame[name]
        if not pd.api.types.is_numeric_dtype(values):
            for level, count in values.value_counts().items():
                if count == 1:
                    where = sites[values.eq(level).to_numpy().argmax()]
                    warnings.append(
                        f"{name} {level!r} occurs at one site ({where}): unseen in training when that site is left out"
                    )
            by_level = pd.Series(labels).groupby(values.to_numpy()).nunique()
            if len(by_level) == 2 and by_level.max() == 1:
                warnings.append(f"{name} equals the {presence} column at every site: the response under another name?")
            continue
        if values.nunique() == 2 and pd.Series(labels).groupby(values.to_numpy()).nunique().max() == 1:
            warnings.append(f"{name} equals the {presence} column at every site: the response under another name?")
        elif (
            values[labels == 1].min() > values[labels == 0].max()
            or values[labels == 1].max() < values[labels == 0].min()
        ):
            warnings.append(
                f"{name} alone separates presences from absences: coefficients not identified; an interval of [1, 1] "
                "means nothing"
            )
    numbers = frame.select_dtypes("number")
    for k, first in enumerate(numbers):
        for second in list(numbers)[k + 1 :]:
            if abs(np.corrcoef(numbers[first], numbers[second])[0, 1]) > 1 - 1e-9:
                warnings.append(f"{first} and {second} carry the same numbers (correlation 1): one is enough")
