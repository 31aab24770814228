"""Writes docs/command.md from the command's own `--help`.

python docs/make_command.py            write it
python docs/make_command.py --check    fail if it is not what would be written
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from assay.cli.group import COMMANDS, cli

TARGET = Path(__file__).with_name("command.md")
WIDTH = 90
HEAD = """# The command

Made by `make docs` from the command's own help; `make check` fails if it is out of date.
"""


def help_of(*names: str) -> str:
    """What `assay NAMES --help` prints, at a fixed width."""
    context = click.Context(cli, info_name="assay", terminal_width=WIDTH, max_content_width=WIDTH)
    command: click.Command = cli
    for name in names:
        assert isinstance(command, click.Group)
        found = command.get_command(context, name)
        assert found is not None, name
        command = found
        context = click.Context(
            command,
            info_name=name,
            parent=context,
            terminal_width=WIDTH,
            max_content_width=WIDTH,
        )
    lines = command.get_help(context).splitlines()
    return "\n".join(line.rstrip() for line in lines)


def all_names() -> Iterator[tuple[str, ...]]:
    """Every command, each followed by those in it."""
    context = click.Context(cli)
    for name in COMMANDS:
        yield (name,)
        command = cli.get_command(context, name)
        if isinstance(command, click.Group):
            yield from ((name, inner) for inner in command.list_commands(context))


def document() -> str:
    """The whole file."""
    parts = [HEAD]
    for names in ((), *all_names()):
        title = " ".join(("assay", *names))
        parts.append(f"## `{title}`\n\n```text\n{help_of(*names)}\n```\n")
    return "\n".join(parts)


def main() -> None:
    if "--check" in sys.argv[1:]:
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != document():
            sys.exit(f"{TARGET.name} is out of date; run `make docs`")
        return
    TARGET.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
