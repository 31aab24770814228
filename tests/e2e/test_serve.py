"""`assay serve` as a process of its own: it answers, finishes what runs when it is ended, and has
at the next start what it kept."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

pytestmark = [pytest.mark.model, pytest.mark.slow]
TEXT = (
    "This Supply Agreement is made on 3 May 2031 between Alder Castings Ltd and Birch Rotors Inc."
)
ASK = {"document": {"text": TEXT}, "units": ["extract_date", "extract_party"]}


def assay(*arguments: str, store: Path) -> str:
    command = [sys.executable, "-m", "assay", *arguments, "--config", str(store / "config.yaml")]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@contextmanager
def served(store: Path, token: str) -> Iterator[tuple[httpx.Client, subprocess.Popen]]:
    """A server on a free port, ready, and a client with a key."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "assay", "serve", "--port", str(port)]
    with (store / "log").open("a") as log:
        process = subprocess.Popen(
            [*command, "--config", str(store / "config.yaml")],
            stdout=log,
            stderr=log,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    headers = {"Authorization": f"Bearer {token}"}
    try:
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=url, headers=headers, timeout=60, trust_env=False) as client:
            until = time.monotonic() + 60
            while time.monotonic() < until and process.poll() is None:
                try:
                    if client.get("/readyz").status_code == 200:
                        break
                except httpx.TransportError:
                    pass
                time.sleep(0.1)
            else:
                pytest.fail((store / "log").read_text())
            yield client, process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(30)


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("service")
    (folder / "config.yaml").write_text(
        f"store: sqlite:///{folder / 'assay.db'}\nmaster_key_file: {folder / 'master.json'}\n"
    )
    assay("tenants", "create", "acme", store=folder)
    return folder


@pytest.fixture(scope="module")
def token(store) -> str:
    made = assay("keys", "create", "acme", store=store)
    assert re.fullmatch(r"assay_[0-9a-f]{12}_[\w-]{43}", made)
    return made


def test_it_answers_and_has_the_answer_after_a_restart(store, token) -> None:
    with served(store, token) as (client, process):
        answer = client.post("/v1/analyses", json=ASK).json()
        assert answer["results"]["extract_date"]["value"]["agreement"]["iso"] == "2031-05-03"
        names = [item["name"] for item in answer["results"]["extract_party"]["value"]["parties"]]
        assert names == ["Alder Castings Ltd", "Birch Rotors Inc."]
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    with served(store, token) as (client, _):
        assert client.get(f"/v1/analyses/{answer['id']}").json() == answer
    assert "all as they were written" in assay("audit", "verify", store=store)


def test_what_runs_is_finished_when_it_is_ended_and_failed_when_it_is_killed(store, token) -> None:
    later = {**ASK, "wait": False}
    with served(store, token) as (client, process):
        running = client.post("/v1/analyses", json=later).json()["id"]
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    with served(store, token) as (client, process):
        answer = client.get(f"/v1/analyses/{running}").json()
        assert answer["status"] == "done", answer
        killed = client.post("/v1/analyses", json=later).json()["id"]
        process.kill()
        process.wait(30)
    with served(store, token) as (client, _):
        answer = client.get(f"/v1/analyses/{killed}").json()
        assert answer["status"] in ("failed", "done")
        if answer["status"] == "failed":
            assert answer["error"]["code"] == "capacity"
