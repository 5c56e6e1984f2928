"""Read a table as people have it: a text file of one row per site, from whatever program wrote it, taken apart into
texts. `surveyauc.own_table` decides what each column is.

What must not be guessed is refused with a `SurveyError` of one line.
"""

import csv
import io
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
LONGEST_MESSAGE = 1000
SITE = "site|plot|station|sample|pond|lake|quadrat|transect|locality|location|trap|nest|patient|subject|participant"
SITE_NAME = re.compile(  # of the column that says which rows belong together, in small letters, signs as _
    rf"({SITE}|individual|animal)s?(_?(id|no|nr|code|name|number))?|row|case_no|(.*_)?id|(gbif|object|f|g|o)id"
)
INDEX_NAME = re.compile(r"row|index|unnamed_0|(gbif|object|f|g|o)?id")  # of one that may only number the rows
UNIT = re.compile(r"([^\w\s.,+-]*)\s*([-+]?\d[\d.,]*)\s*(.*)")  # sign before, number, what stands behind it
INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
MOSTLY = 0.5  # share of numbers from which a column is one of numbers in which words are mistakes


class SurveyError(ValueError):
    """A table that cannot be used as it is; the message is one line, whatever stands in the table."""

    def __init__(self, message):
        line = " ".join("".join(c if c.isprintable() else " " for c in message).split())
        super().__init__(line if len(line) <= LONGEST_MESSAGE else f"{line[:LONGEST_MESSAGE]} …")


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
    first = re.fullmatch(r'"?sep=(.)"?;*', lines[0].strip(" "), re.IGNORECASE)
    skipped = 0
    if first:  # Excel's own line
        separator, lines, skipped = separator or first[1], lines[1:], 1
    separator = {"tab": "\t", "\\t": "\t"}.get(separator, separator)
    if separator is not None and separator != "whitespace" and (len(separator) != 1 or separator in '\n\r"0123456789'):
        raise SurveyError(f"the separator {separator!r} is not one character, tab or whitespace")
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
    begins = 1
    try:
        for cells in source:
            _check_quotes(cells, separator, begins + skipped)
            cells = [_clean(cell) for cell in cells]
            if any(cells):
                rows.append((source.line_num + skipped, cells))
            begins = source.line_num + 1
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
        if all(cells[-1] == "" for _, cells in body):  # a comma too many, but not in the header
            body = [(n, cells[:-1]) for n, cells in body]
        elif len({cells[0] for _, cells in body}) == len(body) and not any(map(names_sites, header)):
            header = ["", *header]  # R writes row names without a name
            notes.append(
                "the lines have a field more than the header: the first is the name of the row, as R writes it"
            )
    for line, cells in body:
        if len(cells) != len(header):
            cause = " (an unquoted comma?)" if len(cells) > len(header) and separator == "," else ""
            if len(header) == 1:
                cause = f" (is there a title above the header, or another sign than {separator!r} between the columns?)"
            raise SurveyError(f"line {line} has {len(cells)} fields, the header has {len(header)}{cause}")
    names = _names(header, body)
    columns = {name: [cells[k] for _, cells in body] for k, name in enumerate(names)}
    return Table(columns, [line for line, _ in body], notes)


def _decoded(path, encoding, notes):
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SurveyError(f"cannot be opened ({error.strerror})") from None
    content = content.rstrip(b"\x1a")  # the end of a file, as DOS wrote it
    if not encoding and b"\x00" in content[:4000] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        odd = content[1:4000:2]
        if odd.count(0) < 0.9 * len(odd) or content[:4000:2].count(0):
            raise SurveyError("not a text table; save it as CSV")
        encoding = "utf-16-le"
    if content.startswith(b"PK\x03\x04"):
        raise SurveyError("an Excel or zip file, not a text table; save it as CSV")
    try:
        if encoding:
            text = content.decode(encoding)
        elif content.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = content.decode("utf-16")
        else:
            text = content.decode("utf-8-sig")
    except (LookupError, UnicodeEncodeError):
        raise SurveyError(f"no encoding {encoding!r}; usual ones are utf-8, cp1252, latin-1, utf-16") from None
    except UnicodeError as error:
        if encoding and not isinstance(error, UnicodeDecodeError):
            raise SurveyError(
                f"cannot be read with the encoding {encoding!r}; usual ones are utf-8 and cp1252"
            ) from None
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
        try:
            counts = [len(row) for row in csv.reader(sample, delimiter=candidate) if row]
        except csv.Error as error:
            raise SurveyError(f"the first lines cannot be read ({error})") from None
        if counts and counts[0] > 1:
            agreeing = sum(count == counts[0] for count in counts)
            if (agreeing, counts[0]) > most:
                best, most = candidate, (agreeing, counts[0])
    if most == (0, 0):
        counts = [len(line.split()) for line in sample]
        if counts and min(counts) > 1:
            return "whitespace"
    return best


def _clean(cell):
    """A cell without what cannot be seen, letters with accents in one form."""
    return unicodedata.normalize("NFC", cell.translate(INVISIBLE).replace("\u00a0", " ").replace("\u202f", " ")).strip()


def _check_quotes(cells, separator, line):
    """A text in quotation marks may run over several lines, but not over lines that are rows."""
    for cell in cells:
        if any(part.count(separator) >= max(1, len(cells) - 2) for part in cell.split("\n")[1:]):
            raise SurveyError(f"line {line}: a quotation mark opens a text that swallows the lines after it; remove it")


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


def joined(table, other, kept, site=None):
    """The columns ``kept`` of a `Table`, and its names of sites, with all columns of another table of the same sites
    beside them, as where species and environment are in two files. Rows are matched by the names of the sites (in the
    column ``site``, where a table has it), or in their order where neither table has any. Raises SurveyError where a
    row has no match, or a name two."""
    key, other_key = (site if site in each.columns else site_column(each.columns, set()) for each in (table, other))
    rows = range(len(table.lines))
    notes = [*table.notes, *other.notes]
    if key and other_key:
        places = {name: k for k, name in enumerate(other.columns[other_key])}
        if len(places) < len(other.lines):
            twice = next(name for name, count in Counter(other.columns[other_key]).items() if count > 1)
            raise SurveyError(f"site {twice!r} has more than one row in the table of covariates")
        for name, line in zip(table.columns[key], table.lines, strict=True):
            if name not in places:
                raise SurveyError(f"site {name!r} (line {line}) has no row in the table of covariates")
        rows = [places[name] for name in table.columns[key]]
        unmatched = len(other.lines) - len(set(rows))
        if unmatched:
            notes.append(f"{unmatched} rows of the table of covariates belong to no site here")
    elif key or other_key or len(table.lines) != len(other.lines):
        raise SurveyError("the rows of the two tables cannot be matched: give both a column that names the sites")
    else:
        notes.append("rows of the two tables were matched in their order")
    columns = {name: cells for name, cells in table.columns.items() if name == key or name in kept}
    for name, cells in other.columns.items():
        if name in columns and name != other_key:
            raise SurveyError(f"column {name!r} stands in both tables")
        if name != other_key:
            columns[name] = [cells[k] for k in rows]
    return Table(columns, table.lines, notes)


def presence_columns(table, patterns):
    """The columns that these names or patterns such as ``sp_*`` mean, in the order of the table for each pattern; the
    column that names the sites is none. Raises SurveyError for one that means no column."""
    site = site_column(table.columns, set(patterns))
    found = []
    for pattern in patterns:
        if pattern in table.columns:
            found.append(pattern)
            continue
        fitting = [name for name in table.columns if name != site and fnmatchcase(name, pattern)]
        if not fitting:
            raise SurveyError(f"no column {pattern!r}; there are: {', '.join(table.columns)}")
        found += fitting
    return list(dict.fromkeys(found))


def _plain_name(name):
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_")


def names_sites(name):
    return bool(SITE_NAME.fullmatch(_plain_name(name)))


def site_column(columns, taken):
    """The column that names the sites: by its name, before others one with names that repeat, then one that does not
    only number the rows; or one of words that are all different."""
    named = [name for name, cells in columns.items() if name not in taken and names_sites(name) and len(set(cells)) > 1]
    if named:
        repeats = {name: len(set(columns[name])) < len(columns[name]) for name in named}
        return min(named, key=lambda name: (not repeats[name], bool(INDEX_NAME.fullmatch(_plain_name(name)))))
    for name, cells in columns.items():
        numbers = sum(bool(UNIT.fullmatch(cell)) for cell in cells)
        if name not in taken and len(set(cells)) == len(cells) and numbers < MOSTLY * len(cells):
            return name
    return None
