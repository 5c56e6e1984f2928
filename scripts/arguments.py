"""What the programs share in reading their arguments."""

import argparse


def name_value(word):
    """A NAME=VALUE word as a pair, for argparse's ``type``; several of them make a dict."""
    name, equals, value = word.partition("=")
    if not equals:
        raise ValueError(f"{word!r} is not NAME=VALUE")
    return name, value


def figure_parser(description):
    """A parser with what every figure takes: its size and where it goes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--size", nargs=2, type=float, required=True, help="width and height in millimetres")
    parser.add_argument("--svg", required=True)
    parser.add_argument("--png", required=True)
    return parser
