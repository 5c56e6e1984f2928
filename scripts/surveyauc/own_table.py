"""Make a survey of a table of texts: what each column is, which rows can be used, what is a presence.

What had to be guessed or left out is said in ``notes`` (as it should be) and ``warnings`` (to be looked at), in plain
sentences; what must not be guessed is refused with a `SurveyError` of one line that names the column and the row.
"""

import difflib
import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from surveyauc.reading import MOSTLY, UNIT, SurveyError, names_sites, read_table, site_column

MISSING = {
    *("", "na", "n/a", "n.a.", "n.d.", "nan", "nat", "<na>", "null", "<null>", "\\n", "-", "--", "–", "—", ".", "?"),
    *("missing", "nodata", "no data", "(blank)", "#n/a", "#null!", "#value!", "#div/0!", "#ref!", "#num!", "#name?"),
    *("#nv", "#wert!", "#bezug!", "#zahl!", "#n/d", "#valor!", "#valeur!", "#null"),
}
YES = {
    *("1", "yes", "y", "true", "t", "present", "presence", "detected", "occupied", "seen", "+"),
    *("ja", "wahr", "vorhanden", "oui", "vrai", "présent", "sí", "verdadero", "presente", "vero", "sim"),
}
NO = {
    *("0", "no", "n", "false", "f", "absent", "absence", "not detected", "undetected", "empty", "not seen", "-"),
    *("nein", "falsch", "fehlt", "non", "faux", "falso", "ausente", "assente", "não"),
}
SENTINELS = {-9999.0, -999.0, -999.25, -99.0, -9.0, 999.0, 9999.0, 99999.0, -99999.0, -32768.0, 65535.0, -1.0, 99.0}
NEGATIVE_CODES = {-9999.0, -999.0, -999.25, -99.0, -99999.0, -32768.0}  # codes where nothing else is below zero
LARGEST = 1e15  # no measurement is larger; what GIS writes for no data is
THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}([,'’. ]\d{3})+([.,]\d+)?")
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
FEW_LEVELS = 4  # that may be a category of any survey
MOST_LEVELS = 12  # of a category; a column of words with more, and few rows for each, is free text or names
ROWS_OF_A_LEVEL = 10  # and more make a category of many levels
MOST_MISSING = 0.2  # share of values that a column which nobody asked for may lack
MOST_COLUMNS = 100  # of a design


@dataclass
class Survey:
    """sites : (sites,) names of the rows used; labels : (sites,) 0/1; covariates : DataFrame of the rows used, floats
    and texts; groups : (sites,) what belongs together; group : the column that says so; compared : the covariates of a
    second model, or None; dropped : name and reason of every row left out; notes and warnings : sentences"""

    sites: list
    labels: np.ndarray
    covariates: pd.DataFrame
    groups: np.ndarray
    group: str | None = None
    compared: pd.DataFrame | None = None
    dropped: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    warnings: list = field(default_factory=list)


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
    compare_with=None,
):
    """The survey in a `Table`.

    presence : column; covariates : columns, default all but presence, site and group; site : column that names the
    sites, found by its name or its place where it is not given; group : column of what must be held out together,
    default the sites themselves; positive : the label that means presence; presence_if : a rule such as "> 0" for
    counts; na_values : codes for missing values, besides blanks and the usual words; categorical : columns whose
    numbers are names; decimal : "." or ","; ignored : columns that are no covariates, as other species are not;
    compare_with : covariates of a second model, for the sites that have values for both

    Raises SurveyError, one line that names the column and the row.
    """
    columns = table.columns
    covariates, compare_with, na_values, categorical = map(_list, (covariates, compare_with, na_values, categorical))
    asked_for = [*covariates, *compare_with]
    if compare_with and set(compare_with) == set(covariates):
        raise SurveyError("the two models to compare have the same covariates")
    _check_names(columns, [presence, *asked_for, *filter(None, [site, group]), *categorical])
    for names in (covariates, compare_with):
        for name in names:
            if name == presence:
                raise SurveyError(f"column {presence!r} is the presence and cannot be a covariate")
            if names.count(name) > 1:
                raise SurveyError(f"covariate {name!r} is named twice; once is right")
    missing = _missing_words(na_values, columns)
    site = site or site_column(columns, {presence, *asked_for, *ignored})
    decimal = decimal or _decimal(columns, site)
    notes, warnings = list(table.notes), []
    if decimal == ",":
        notes.append("numbers have a decimal comma")
    names = columns[site] if site else [f"row {line}" for line in table.lines]
    names = [f"row {line}" if name.lower() in missing else name for name, line in zip(names, table.lines, strict=True)]

    labels = _labels(presence, columns[presence], names, positive, presence_if, missing, decimal, notes)
    own = covariates
    if not own:
        others = [name for name in columns if name not in {presence, site, group, *ignored}]
        own = [name for name in others if not names_sites(name)]
        naming = [name for name in others if name not in own]
        if naming:
            warnings.append(f"{', '.join(naming)}: by the name, a name of sites or rows, left out")
    chosen = list(dict.fromkeys([*own, *compare_with]))
    mistakes = [_mistakes(name, columns[name], names, missing, decimal) for name in chosen if name not in categorical]
    if any(mistakes):
        raise SurveyError(f"{'; '.join(filter(None, mistakes))}: correct them or declare the column categorical")
    parsed = {}
    for name in chosen:
        column = _covariate(
            name, columns[name], names, missing, decimal, name in categorical, name in asked_for, warnings
        )
        if column is not None:
            parsed[name] = column
    frame = pd.DataFrame(parsed, index=range(len(names)))
    dropped, without = {}, Counter()
    for k, name in enumerate(names):
        blank = [presence] if np.isnan(labels[k]) else [column for column in frame if pd.isna(frame.at[k, column])]
        if blank:
            dropped[name] = f"no value in {' and '.join(blank)}"
            without.update(blank)
    if len(set(names)) < len(names):  # names that repeat cannot say which row was left out
        rows = [k for k in range(len(names)) if np.isnan(labels[k]) or frame.iloc[k].isna().any()]
        dropped = {f"{names[k]} (line {table.lines[k]})": dropped[names[k]] for k in rows}
        used = [k for k in range(len(names)) if k not in set(rows)]
    else:
        used = [k for k, name in enumerate(names) if name not in dropped]
    if dropped:
        where = ", ".join(f"{column} ({count})" for column, count in without.items())
        warnings.append(
            f"{len(dropped)} of {len(names)} rows left out, with no value in {where}: {_listed(dropped, 12)}"
        )
    labels, frame = labels[used].astype(int), frame.iloc[used].reset_index(drop=True)
    sites = [names[k] for k in used]
    _check_classes(presence, labels)
    frame = _without_constants(frame, warnings)
    models = [[name for name in names_of if name in frame] for names_of in (own, compare_with or own)]
    if not all(models):
        raise SurveyError("no covariate is left; name columns with numbers or categories")
    _look_at(frame, labels, sites, presence, warnings)
    for k in used if group else []:
        if columns[group][k].lower() in missing:
            raise SurveyError(f"{group}: no value at {names[k]}; every row that is used needs its block")
    groups = np.array([columns[group][k] if group else names[k] for k in used])
    _check_groups(group or site, groups, labels)
    if not group:
        repeats = {name: count for name, count in Counter(sites).items() if count > 1}
        if not repeats:
            _look_for_copies(columns, site, used, sites, warnings)
        if repeats:
            counts = _listed([f"{name} {count} times" for name, count in repeats.items()])
            warnings.append(
                f"sites that occur more than once: {counts}; rows of one site are left out together and make no pairs"
            )
    compared = frame[models[1]] if compare_with else None
    return Survey(sites, labels, frame[models[0]], groups, group or site, compared, dropped, notes, warnings)


def _list(names):
    """Names or codes as texts, where one may stand for a list of one."""
    if names is None:
        return []
    return [str(name) for name in ([names] if np.isscalar(names) else names)]


def _check_names(columns, names):
    for name in names:
        if name not in columns:
            close = difflib.get_close_matches(name, columns, n=1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            if len(columns) == 1:
                hint = " (is another sign between the columns? name it as the separator)"
            if all(part.strip() in columns for part in name.split(",")):
                hint = " (several names are separated by blanks, or are a list)"
            raise SurveyError(f"no column {name!r}{hint}; there are: {_listed(columns, 40)}")


def _check_groups(name, groups, labels):
    """Some presence and absence must lie in different groups, and without any two such groups both classes must be
    there to fit."""
    numbers, names = pd.factorize(groups)
    presences, absences = (np.bincount(numbers, labels == value, len(names)) for value in (1, 0))
    pairs = (presences[:, None] > 0) & (absences > 0) & ~np.eye(len(names), dtype=bool)
    if not pairs.any():
        raise SurveyError(f"{name}: no presence and absence lie in different groups, so that no pair can be held out")
    for count, what in ((presences, "presences"), (absences, "absences")):
        left = count.sum() - count[:, None] - count
        if (left[pairs] < 1).any():
            one, other = (names[k] for k in np.argwhere(pairs & (left < 1))[0])
            raise SurveyError(f"{name}: without {one} and {other}, held out together, no {what} are left to fit")


def _look_for_copies(columns, site, used, sites, warnings):
    """Warn of rows that are the same in everything but the name of the site."""
    rows = [tuple(cells[k] for name, cells in columns.items() if name != site) for k in used]
    counts = Counter(rows)
    copies = [site for site, row in zip(sites, rows, strict=True) if counts[row] > 1]
    if len(copies) > 0.2 * len(rows):
        warnings.append(
            f"{len(copies)} rows are copies of one another but for their names ({_listed(copies)}): visits to one "
            "site? Name what belongs together as the group"
        )


def _missing_words(na_values, columns):
    """The words, in small letters, that stand for a missing value; a code is one however the number is written."""
    words = MISSING | {str(code).strip().lower() for code in na_values}
    codes = {float(code) for code in map(str, na_values) if NUMBER.fullmatch(code.strip())}
    if codes:
        cells = {cell for column in columns.values() for cell in column}
        words = words | {cell.lower() for cell in cells if _number(cell.replace(",", "."), ".") in codes}
    return words


def _decimal(columns, site):
    """ "," where more numbers have a comma than a point. Refused where the sign could set off thousands: no number has
    other than three digits behind it, and with points some of the column are whole numbers of three digits or more."""
    found = {sign: [] for sign in ".,"}
    for name, cells in columns.items():
        for cell in cells if name != site else ():
            match = re.fullmatch(r"[-+]?\d+([.,])\d+([eE][-+]?\d+)?", cell)
            if match:
                found[match[1]].append((name, cell))
    sign = "," if len(found[","]) > len(found["."]) else "."
    for name in dict.fromkeys(name for name, _ in found[sign]):
        cells = [cell for other, cell in found[sign] if other == name]
        whole = any(re.fullmatch(r"[-+]?[1-9]\d{2,}", cell) for cell in columns[name])
        if all(map(THOUSANDS.fullmatch, cells)) and (whole or (sign == "," and len(found[","]) == len(cells))):
            raise SurveyError(
                f"column {name!r}: is {cells[0]!r} more than a thousand? Remove the {sign!r}, or say that it is the "
                "decimal sign (--decimal, decimal)"
            )
    return sign


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
            if cell.lower() not in missing and numbers[cell] < 0 <= threshold:
                raise SurveyError(
                    f"column {name!r}: {cell} at {site} is no count: a missing-value code? Declare it (--na-values, "
                    "na_values)"
                )
        compare = {">": np.greater, "<": np.less, ">=": np.greater_equal, "<=": np.less_equal}.get(match[1], np.equal)
        meaning = {level: int(compare(number, threshold)) for level, number in numbers.items()}
        notes.append(f"presence means {name} {match[1]} {match[2]}")
        if len(set(meaning.values())) == 1:
            sites_so = "every site" if 1 in meaning.values() else "no site"
            raise SurveyError(f"column {name!r}: {rule!r} holds at {sites_so}; an AUC needs both classes")
    elif positive is not None:
        meaning = {level: int(_same(level, positive, decimal)) for level in levels}
        if 1 not in meaning.values():
            raise SurveyError(f"column {name!r}: no site has {str(positive)!r}; there are: {_listed(levels)}")
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
    codes = [level for level, number in numbers.items() if number is not None and number < 0]
    if codes and None not in numbers.values():
        raise SurveyError(
            f"presence column {name!r}: {codes[0]} at {sites[list(cells).index(codes[0])]} is no presence: a missing-"
            "value code? Declare it (--na-values, na_values)"
        )
    if None not in numbers.values() and len(values) > 2:
        low, high = min(numbers.values()), max(numbers.values())
        raise SurveyError(
            f"presence column {name!r} has {len(values)} different values ({low:g}..{high:g}): counts? say what "
            "presence means, such as '> 0' (--presence-if, presence_if)"
        )
    if len(values) <= 2:
        first = " and ".join(map(str, values))
        raise SurveyError(
            f"presence column {name!r} has values {first}; which one means presence? name the one (--positive, "
            "positive)"
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
        return list({level.lower(): level for level in levels}.values())
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


def _covariate(name, cells, sites, missing, decimal, categorical, asked_for, warnings):
    """A column of floats, or of texts where it is a category, missing values being nan and None; None when it is free
    text, which is left out with a warning unless it was asked for. Among words None may be a level, as in many a
    habitat table; among numbers it is missing."""
    numbers = [_number(cell, decimal) for cell in cells if cell.lower() not in missing | {"none"}]
    if not numbers and all(cell.lower() in missing for cell in cells):
        if asked_for:
            raise SurveyError(f"{name}: no value at any site")
        warnings.append(f"{name}: no value at any site, left out")
        return None
    lacking = sum(cell.lower() in missing for cell in cells)
    if not asked_for and lacking > MOST_MISSING * len(cells):
        warnings.append(
            f"{name}: no value at {lacking} of {len(cells)} sites, left out; to use it and lose these sites, name it "
            "under covariates"
        )
        return None
    if not asked_for and numbers in ([float(k) for k in range(len(cells))], [k + 1.0 for k in range(len(cells))]):
        warnings.append(f"{name}: numbers the rows, left out")
        return None
    if not categorical and numbers and None not in numbers:
        none = sum(cell.lower() == "none" for cell in cells)
        if none:
            warnings.append(f"{name}: the word None among numbers was taken as missing ({_times(none)})")
        values = [np.nan if cell.lower() in missing | {"none"} else _number(cell, decimal) for cell in cells]
        for k, value in enumerate(values):
            if abs(value) > LARGEST:
                raise SurveyError(
                    f"{name}: {cells[k]} at {sites[k]} is no measurement: a missing-value code? Declare it "
                    "(--na-values, na_values)"
                )
        _look_for_codes(name, values, warnings)
        return values
    levels = Counter(cell for cell in cells if cell.lower() not in missing)
    rows = sum(levels.values())
    if not categorical:
        _refuse_units(name, cells, sites, levels)
        for level in levels:
            if _number(level, decimal) in SENTINELS:
                warnings.append(f"{name}: {level} among words: a missing-value code? (declare it under na_values)")
    many = len(levels) > MOST_LEVELS and rows < ROWS_OF_A_LEVEL * len(levels)
    if many or (len(levels) > FEW_LEVELS and len(levels) > MOSTLY * rows):
        what = f"{name}: {len(levels)} different texts at {rows} sites"
        if asked_for:
            raise SurveyError(f"{what} are no category; leave the column out, or write fewer kinds into it")
        if len(levels) < rows:
            warnings.append(f"{what}, left out; if they say which rows belong together, name it as the group")
        else:
            warnings.append(f"{what}, left out")
        return None
    other = {".": ",", ",": "."}[decimal]
    as_numbers = [level for level in levels if _number(level, other) is not None and _number(level, decimal) is None]
    if not categorical and len(as_numbers) > MOSTLY * len(levels):
        where = sites[next(k for k, cell in enumerate(cells) if cell in as_numbers)]
        raise SurveyError(
            f"{name}: {as_numbers[0]!r} at {where} is a number if the decimal sign is {other!r}; say so (decimal), or "
            "name the column under categorical"
        )
    folded = Counter(level.lower() for level in levels)
    for word in [word for word, count in folded.items() if count > 1]:
        twins = [level for level in levels if level.lower() == word]
        warnings.append(f"{name}: {' and '.join(map(repr, twins))} differ in capitals only and are taken as different")
    return [None if cell.lower() in missing else cell for cell in cells]


def _refuse_units(name, cells, sites, levels):
    """Numbers that all have the same sign before or behind them, or thousands set off, are no names of categories."""
    parts = [UNIT.fullmatch(level) for level in levels]
    if len(levels) < 2 or not all(parts):
        return
    around = {(part[1], part[3]) for part in parts}
    where = next(site for cell, site in zip(cells, sites, strict=True) if cell in levels)
    first = next(iter(levels))
    if all(THOUSANDS.fullmatch(level) or level.isdigit() for level in levels):
        raise SurveyError(
            f"{name}: {first!r} at {where} sets off thousands: remove the sign, or declare the column categorical"
        )
    if len(around) == 1 and around != {("", "")} and not re.match(r"[\d/:.-]", parts[0][3]):
        sign = " ".join(filter(None, around.pop()))
        raise SurveyError(
            f"{name}: {first!r} at {where} is a number with {sign!r}: leave that out of the cells, or declare the "
            "column categorical"
        )


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
        if code < low - 2 * reach or code > high + 2 * reach or (code in NEGATIVE_CODES and low >= 0):
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


def _without_constants(frame, warnings):
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
    if numbers.shape[1] > 1:
        same = np.triu(np.abs(np.corrcoef(numbers.to_numpy().T)) > 1 - 1e-9, 1)
        for first, second in np.argwhere(same):
            one, other = numbers.columns[first], numbers.columns[second]
            warnings.append(f"{one} and {other} carry the same numbers (correlation 1): one is enough")
