"""A program that ends before it has done anything."""


def main() -> int:
    return 3
