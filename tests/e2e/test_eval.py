"""`assay eval` from rows to its last line, with a baseline on a real port."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from assay.cli import run
from benchmarks import quality

CONTRACT = (
    "This Supply Agreement is made on 3 March 2021 by and between Alder Foods, Inc. (the "
    '"Supplier") and Birch Trading Ltd. (the "Buyer"). The Buyer may not assign this Agreement.'
)


def span(text: str) -> dict[str, Any]:
    start = CONTRACT.index(text)
    return {"start": start, "end": start + len(text), "text": text}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    clauses = {
        "Agreement Date": {"answer": "3/3/21", "spans": [span("3 March 2021")]},
        "Parties": {
            "answer": 'Alder Foods, Inc. ("Supplier"); Birch Trading Ltd. ("Buyer")',
            "spans": [span("Alder Foods, Inc."), span("Birch Trading Ltd.")],
        },
    }
    rows = [{"id": f"{i}", "text": CONTRACT, "clauses": clauses} for i in range(3)]
    (tmp_path / "cuad_dev.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


class Server(BaseHTTPRequestHandler):
    """Knows the date, and invents a party."""

    def do_GET(self) -> None:
        self._reply({"data": [{"id": "plain"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_date = "date" in body["messages"][1]["content"].rsplit("Question:")[-1]
        answer: dict[str, Any] = {"value": [{"name": "Cedar Bank"}], "quote": "Cedar Bank"}
        if is_date:
            answer = {"value": {"iso": "2021-03-03"}, "quote": "made on 3 March 2021"}
        self._reply({"choices": [{"message": {"content": json.dumps(answer)}}]})

    def _reply(self, content: Any) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def last_line(text: str) -> dict[str, Any]:
    found = json.loads(text.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def test_units_and_a_baseline_are_judged_on_the_same_rows(
    data: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    picture, rows = data / "figures.png", data / "rows.jsonl"
    arguments = ["--data", str(data), "--backend", "none", "--rows", str(rows)]
    assert run(["eval", *arguments, "--baseline", url, "--png", str(picture)]) == 0
    printed = capsys.readouterr()
    found = last_line(printed.out)
    assert found["cuad"]["agreement"]["f1"] == 1.0
    assert found["cuad"]["parties"]["f1"] == 1.0
    assert found["cuad"]["parties"]["n"] == 3
    assert found["baseline_ratio"] == 2.0
    assert (found["ungrounded"], found["errors"]) == (0, 0)
    assert "the baseline's: 3 of 6" in printed.out
    assert "cfpb is left out" in printed.err
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert len(rows.read_text().splitlines()) == 6


def test_the_benchmark_is_the_command(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--data", str(data), "--sets", "cuad", "--limit", "1", "--backend", "none"]
    assert quality.main(arguments) == 0
    assert last_line(capsys.readouterr().out)["cuad"]["agreement"]["n"] == 1


def test_a_set_that_is_not_there_is_bad_input(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for sets in ("cfpb", "cuda"):
        assert run(["eval", "--data", str(data), "--sets", sets, "--backend", "none"]) == 2
        assert sets in capsys.readouterr().err
    assert run(["eval", "--data", str(data), "--split", "hidden", "--backend", "none"]) == 2
    assert "hidden" in capsys.readouterr().err


def test_a_baseline_that_is_not_there_is_told_before_units_are_asked(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--data", str(data), "--backend", "none", "--baseline", "http://127.0.0.1:9/v1"]
    assert run(["eval", *arguments]) == 2
    printed = capsys.readouterr()
    assert "no OpenAI-compatible server" in printed.err
    assert "cuad 3/3" not in printed.err
