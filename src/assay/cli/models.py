"""`assay models`: what has been pulled."""

from __future__ import annotations

import click

from assay.cli.output import as_line, write_stdout

EPILOG = """\b
Examples:
  assay models
  assay models --json
"""


@click.command(epilog=EPILOG)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def models(as_json: bool) -> int:
    """Lists the models on this machine.

    They lie in the folder ASSAY_HOME, by default ~/.cache/assay.
    """
    from assay.models.store import list_models, models_folder

    stored = list_models()
    if as_json:
        for model in stored:
            write_stdout(
                as_line(
                    {
                        "name": model.name,
                        "size_bytes": model.num_bytes,
                        "source": model.source,
                        "path": str(model.path),
                    }
                )
            )
    elif not stored:
        write_stdout(f"no models in {models_folder()} (run `assay pull smollm2`)\n")
    else:
        width = max(len(model.name) for model in stored)
        for model in stored:
            size = f"{model.num_bytes / 1e6:,.0f} MB"
            write_stdout(f"{model.name:{width}}  {size:>10}  {model.source}\n")
    return 0
