"""Tables as the project writes them."""


def write_table(table, path):
    """Write a DataFrame as CSV with 17 significant digits, so that reading it gives the same numbers back."""
    table.to_csv(path, index=False, float_format="%.17g", lineterminator="\n")
