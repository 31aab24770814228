"""The command as a process: signals, pipes, full disks, start-up, and the real model."""

from __future__ import annotations

import json
import os
import pty
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
ASSAY = [sys.executable, "-m", "assay"]

#: A command whose analysis sits in native code that no signal interrupts, as a matrix product may.
STUCK = """
import hashlib, sys
import assay.analysis
from assay.backends import ScriptedBackend
from assay.cli import main

class Stuck:
    def __init__(self, model, **settings): pass
    def __enter__(self): return self
    def __exit__(self, *exc): pass
    backend = ScriptedBackend(())
    def analyze(self, source, **arguments):
        print("stuck", file=sys.stderr, flush=True)
        hashlib.pbkdf2_hmac("sha256", b"", b"", 60_000_000)

assay.analysis.Analyzer = Stuck
main()
"""

#: A command that reports three of six units and then takes its time.
SLOW = """
import time
import assay.analysis
from assay.backends import ScriptedBackend
from assay.analysis import Progress
from assay.cli import main

class Slow:
    def __init__(self, model, **settings): pass
    def __enter__(self): return self
    def __exit__(self, *exc): pass
    backend = ScriptedBackend(())
    def analyze(self, source, *, on_progress, **asked):
        on_progress(Progress("extract_date", None, 3, 6))
        time.sleep(0.4)
        raise KeyboardInterrupt

assay.analysis.Analyzer = Slow
main()
"""


def assay(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ASSAY, *map(str, arguments)],
        **{"capture_output": True, "text": True, "timeout": 300, **options},
    )


def children_cpu_s() -> float:
    """Processor time of all processes that were started and have ended: unlike the clock, it does
    not depend on what else the machine does."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_within_a_second_and_leaves_no_file(tmp_path, signum) -> None:
    out = tmp_path / "results.json"
    document = EXAMPLES / "invoice.pdf"
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK, "analyze", str(document), "--out", str(out)],
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stderr is not None
        assert process.stderr.readline() == "stuck\n"
        started = time.perf_counter()
        process.send_signal(signum)
        assert process.wait(10) == 128 + signum
        assert time.perf_counter() - started < 1.0
    assert list(tmp_path.iterdir()) == []


def test_a_second_signal_ends_it_at_once() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK, "analyze", str(EXAMPLES / "invoice.pdf")],
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)  # two signals at once would be delivered as one
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert time.perf_counter() - started < 0.4


@pytest.mark.parametrize("quiet", [False, True])
def test_progress_is_one_line_on_a_terminal(quiet) -> None:
    reader, terminal = pty.openpty()
    arguments = ["analyze", str(EXAMPLES / "invoice.pdf"), *(["--quiet"] if quiet else [])]
    ran = subprocess.run(
        [sys.executable, "-c", SLOW, *arguments],
        stdout=subprocess.PIPE,
        stderr=terminal,
        timeout=30,
    )
    os.close(terminal)
    os.set_blocking(reader, False)
    try:
        shown = os.read(reader, 1 << 16).decode()
    except (BlockingIOError, OSError):
        shown = ""
    os.close(reader)
    assert ran.stdout == b""
    if quiet:
        assert shown == ""
    else:
        assert "invoice.pdf" in shown
        assert "3/6 units" in shown
        assert shown.rstrip("\r\n").endswith("\x1b[2K")  # the line is wiped when all is over
        assert "\x1b[?25h" in shown  # and the cursor is back


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_not_an_error(tmp_path, unbuffered) -> None:
    path = tmp_path / "long.txt"
    path.write_text("A long line of a long letter.\n" * 50_000)
    process = subprocess.Popen(
        [*ASSAY, "text", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.wait(20) == 141
        assert process.stderr.read() == b""


def test_a_full_disk_behind_standard_output_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        ran = assay("text", EXAMPLES / "contract_zh.txt", capture_output=False,
                    stdout=full, stderr=subprocess.PIPE)  # fmt: skip
    assert ran.returncode == 2
    assert ran.stderr.startswith("assay: standard output: the disk is full")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("units",), ("text", EXAMPLES / "invoice.pdf")]
)
def test_light_commands_start_fast_and_load_no_engine(arguments) -> None:
    probe = (
        "import sys, time\n"
        "from assay.cli import run\n"
        "code = run(sys.argv[1:])\n"
        "print(code, sorted({'torch', 'tokenizers', 'llguidance'} & set(sys.modules)), "
        "file=sys.stderr)\n"
    )
    best = float("inf")
    for _ in range(3):
        started = children_cpu_s()
        ran = subprocess.run(
            [sys.executable, "-c", probe, *map(str, arguments)],
            capture_output=True, text=True, timeout=30, check=True,
        )  # fmt: skip
        best = min(best, children_cpu_s() - started)
    assert ran.stderr == "0 []\n"
    assert ran.stdout
    # Measured 0.1 to 0.35 s; listing all units compiles the patterns of all, 0.9 s.
    assert best < (1.4 if arguments == ("units",) else 0.6)


def test_text_is_utf8_whatever_the_locale() -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    ran = assay("text", EXAMPLES / "contract_zh_gb18030.txt", text=False, env=environment)
    assert ran.stdout.decode("utf-8") == (EXAMPLES / "contract_zh.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["missing.pdf", "empty.txt", "broken.pdf", "binary.txt"])
def test_a_bad_file_is_one_line_and_exit_code_2(tmp_path, name) -> None:
    contents = {
        "empty.txt": b"",
        "broken.pdf": (EXAMPLES / "supply_agreement.pdf").read_bytes()[:900],
        "binary.txt": bytes(range(256)) * 40,
    }
    path = tmp_path / name
    if name in contents:
        path.write_bytes(contents[name])
    ran = assay("analyze", path, "--unit", "extract_date")
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith(f"assay: {path}: ")
    assert ran.stderr.count("\n") == 1


def test_a_model_that_is_not_pulled_names_the_command(tmp_path) -> None:
    ran = assay(
        "analyze", EXAMPLES / "invoice.pdf", env={**os.environ, "ASSAY_HOME": str(tmp_path)}
    )
    assert ran.returncode == 2
    assert "assay pull smollm2" in ran.stderr
    assert ran.stderr.count("\n") == 1


@pytest.mark.model
@pytest.mark.slow
def test_the_examples_are_analysed_with_exact_offsets(tmp_path) -> None:
    """Bad files among good ones; every quotation is where it says, in `assay text`'s own words."""
    names = ["supply_agreement.pdf", "claims_letter.docx", "contract_zh.txt"]
    files = [EXAMPLES / name for name in names]
    ran = assay("analyze", files[0], tmp_path / "missing.pdf", *files[1:], "--json",
                "--unit", "extract_date", "--unit", "extract_clause")  # fmt: skip
    assert ran.returncode == 2
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [answer["document"]["name"] for answer in answers] == names
    num_quotes = 0
    for path, answer in zip(files, answers, strict=True):
        text = assay("text", path, text=False).stdout.decode("utf-8")
        assert answer["document"]["num_chars"] == len(text)
        for result in answer["results"].values():
            assert result["status"] in ("ok", "partial", "absent", "ambiguous")
            for evidence in result["evidence"]:
                assert text[evidence["start"] : evidence["end"]] == evidence["quote"]
                num_quotes += 1
    assert num_quotes >= 6


@pytest.mark.model
def test_ctrl_c_stops_a_real_analysis_within_a_second(tmp_path) -> None:
    out = tmp_path / "results.json"
    process = subprocess.Popen(
        [*ASSAY, "analyze", str(EXAMPLES / "supply_agreement.pdf"), "--out", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with process:
        time.sleep(3.0)  # the model is loaded, the analysis under way
        if process.poll() is not None:
            pytest.skip("the analysis was over before it could be interrupted")
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert time.perf_counter() - started < 1.0
    assert list(tmp_path.iterdir()) == []
