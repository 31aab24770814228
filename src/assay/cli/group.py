"""The group of commands, and how what they raise becomes an exit code."""

from __future__ import annotations

import importlib
import os
import sys

import click

import assay
from assay.cli.messages import complain, report

#: Command -> its module; the command is the module's attribute of the same name.
COMMANDS = (
    "analyze",
    "explain",
    "route",
    "text",
    "units",
    "terms",
    "pull",
    "models",
    "serve",
    "tenants",
    "keys",
    "budgets",
    "audit",
    "train",
    "eval",
    "study",
    "replay",
)

EPILOG = """\b
Examples:
  assay pull smollm2
  assay analyze contract.pdf
  assay analyze contract.pdf --unit extract_party --unit extract_date
  assay analyze contract.pdf --ask "which law governs, and what is the liability cap?"
"""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are named."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"assay.cli.{cmd_name}")
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, epilog=EPILOG)
@click.version_option(assay.__version__, prog_name="assay", message="%(prog)s %(version)s")
def cli() -> None:
    """Reads contracts, filings, claims and e-mails into typed results.

    Every value is copied from the document and comes with the place it stands at. What is not in
    the document is reported as absent. All runs on this machine.
    """


def invoke(arguments: list[str]) -> int:
    """Runs one command line and returns its exit code; only `KeyboardInterrupt` passes."""
    if "_ASSAY_COMPLETE" in os.environ:
        cli.main(arguments, prog_name="assay")
    try:
        with cli.make_context("assay", arguments) as context:
            code = cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        where = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
        hint = f" (see `{where} --help`)" if where else ""
        complain(error.format_message().rstrip(".") + hint)
        return 2
    except BrokenPipeError:
        # What is still buffered has no reader: let the interpreter's last flush go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:  # noqa: BLE001 (the one place where all else is told to the user)
        return report(error)
    return int(code or 0)
