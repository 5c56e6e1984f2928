"""What the programs share in reading their arguments."""


def name_value(word):
    """A NAME=VALUE word as a pair, for argparse's ``type``; several of them make a dict."""
    name, equals, value = word.partition("=")
    if not equals:
        raise ValueError(f"{word!r} is not NAME=VALUE")
    return name, value
