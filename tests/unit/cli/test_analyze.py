"""`assay analyze`: what goes where, and what a failure leaves standing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.documents import Document
from assay.engine.config import EngineConfig
from assay.errors import ConfigError, ModelNotPulledError, TokenLimitError
from assay.types import ErrorInfo, Status, UnitResult
from assay.units.chain import CHEAPEST_FIRST, RULES_ONLY


def test_json_is_one_object_on_one_line(command, analyzer, letter) -> None:
    ran = command("analyze", letter, "--unit", "extract_date", "--json")
    assert ran.code == 0
    assert ran.out.count("\n") == 1
    answer = json.loads(ran.out)
    assert list(answer) == ["document", "results", "usage", "timing_ms"]
    assert list(answer["results"]) == ["extract_date"]
    (evidence,) = answer["results"]["extract_date"]["evidence"]
    assert letter.read_text()[evidence["start"] : evidence["end"]] == evidence["quote"]


def test_several_files_are_an_object_a_line_in_order(command, analyzer, letter, tmp_path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("Another letter.")
    ran = command("analyze", letter, other, "-u", "extract_date", "--json")
    names = [json.loads(line)["document"]["name"] for line in ran.out.splitlines()]
    assert names == ["letter.txt", "other.txt"]


def test_a_table_is_the_default(command, analyzer, letter) -> None:
    ran = command("analyze", letter, "-u", "extract_date")
    assert "letter.txt" in ran.out
    assert "extract_date" in ran.out
    assert "0.91" in ran.out
    assert "\x1b" not in ran.out


def test_without_a_unit_all_run(command, analyzer, letter) -> None:
    command("analyze", letter, "--json")
    assert len(analyzer.calls[0][1]) >= 6


def test_words_choose_units(command, analyzer, letter) -> None:
    command("analyze", letter, "--ask", "what percentage is charged?", "--json")
    assert analyzer.calls[0][1] == ("extract_percentage",)


def test_named_units_and_words_are_joined_without_repeating(command, analyzer, letter) -> None:
    command("analyze", letter, "-u", "extract_date", "-u", "extract_date",
            "--ask", "which percentage?", "--json")  # fmt: skip
    assert analyzer.calls[0][1] == ("extract_date", "extract_percentage")


def test_words_that_mean_no_unit_are_refused_before_reading(command, analyzer, letter) -> None:
    ran = command("analyze", letter, "--ask", "zzz qqq")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert analyzer.calls == []


def test_a_bad_file_leaves_the_others_their_results(command, analyzer, letter, tmp_path) -> None:
    missing, empty = tmp_path / "missing.pdf", tmp_path / "empty.txt"
    empty.touch()
    ran = command("analyze", missing, letter, empty, "-u", "extract_date", "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["document"]["name"] == "letter.txt"
    first, second = ran.err.splitlines()
    assert first.startswith(f"assay: {missing}: no such file")
    assert second.startswith(f"assay: {empty}: is empty")


def test_only_bad_files_never_load_a_model(command, analyzer, tmp_path) -> None:
    analyzer.load_error = AssertionError("loaded")
    assert command("analyze", tmp_path / "missing.pdf").code == 2


def test_an_unknown_unit_is_told_with_near_names_and_others_run(command, analyzer, letter) -> None:
    ran = command("analyze", letter, "-u", "extract_dat", "-u", "extract_party", "--json")
    assert ran.code == 2
    assert "did you mean extract_date" in ran.err
    results = json.loads(ran.out)["results"]
    assert results["extract_party"]["status"] == "ok"
    assert results["extract_dat"]["error"]["code"] == "unknown_unit"


def test_only_unknown_units_run_nothing(command, analyzer, letter) -> None:
    ran = command("analyze", letter, "-u", "extract_dat")
    assert (ran.code, ran.out, analyzer.calls) == (2, "", [])


def test_a_model_that_is_not_pulled_is_said_once(command, analyzer, letter) -> None:
    analyzer.load_error = ModelNotPulledError("not here", remedy="run: assay pull smollm2")
    ran = command("analyze", letter, letter)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "assay: not here (run: assay pull smollm2)\n"


def test_a_unit_in_error_ends_with_1(command, analyzer, letter) -> None:
    info = ErrorInfo(TokenLimitError.code, "too long")
    analyzer.result = lambda document, name: UnitResult(Status.ERROR, None, (), 0.0, None, info)
    ran = command("analyze", letter, "-u", "extract_date")
    assert ran.code == 1
    assert "error: too long" in ran.out


def test_a_bug_is_one_line_and_the_next_file_goes_on(
    command, analyzer, letter, tmp_path, monkeypatch
) -> None:
    other = tmp_path / "other.txt"
    other.write_text("Another letter.")
    analyzer.fail["letter.txt"] = KeyError("amount")
    ran = command("analyze", letter, other, "-u", "extract_date", "--json")
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "this is a bug" in ran.err
    assert "Traceback" not in ran.err
    assert json.loads(ran.out)["document"]["name"] == "other.txt"
    monkeypatch.setenv("ASSAY_DEBUG", "1")
    assert "Traceback" in command("analyze", letter).err


def test_out_takes_the_json_and_leaves_the_table(command, analyzer, letter, tmp_path) -> None:
    target = tmp_path / "results.json"
    ran = command("analyze", letter, "-u", "extract_date", "--out", target)
    assert "extract_date" in ran.out
    assert json.loads(target.read_text())["document"]["name"] == "letter.txt"
    ran = command("analyze", letter, "-u", "extract_date", "--json", "--out", target)
    assert ran.out == ""


def test_out_never_overwrites_a_document(command, analyzer, letter) -> None:
    before = letter.read_text()
    ran = command("analyze", letter, "--out", letter)
    assert ran.code == 2
    assert letter.read_text() == before
    assert analyzer.calls == []


def test_an_interrupt_leaves_no_file_and_closes_the_analyzer(
    command, analyzer, letter, tmp_path
) -> None:
    def interrupted(document: object, name: str) -> UnitResult:
        raise KeyboardInterrupt

    analyzer.result = interrupted
    ran = command("analyze", letter, "--out", tmp_path / "results.json")
    assert ran.code == 130
    assert analyzer.closed
    assert sorted(item.name for item in tmp_path.iterdir()) == ["letter.txt"]


def test_a_file_name_cannot_write_to_the_terminal(command, analyzer, tmp_path) -> None:
    ran = command("analyze", tmp_path / "a\x1b[31m\nb.txt")
    assert "\x1b" not in ran.err
    assert ran.err.count("\n") == 1


def test_a_wrong_option_is_one_line(command) -> None:
    ran = command("analyze", "x.txt", "--jsn")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "assay analyze --help" in ran.err


def test_standard_input_is_a_document(command, analyzer, letter, monkeypatch) -> None:
    with Path(letter).open() as file:
        monkeypatch.setattr("sys.stdin", file)
        ran = command("analyze", "-", "-u", "extract_date", "--json")
    assert json.loads(ran.out)["document"]["num_chars"] == len(letter.read_text())


def test_pages_that_were_not_read_are_said(command, analyzer, letter, monkeypatch) -> None:
    document = Document("half.pdf", "Some text.", "application/pdf", unread_pages=(2, 5))
    monkeypatch.setattr("assay.cli.analyze.read_source", lambda path, *_: document)
    ran = command("analyze", letter, "-u", "extract_date", "--json")
    assert ran.code == 0
    assert ran.err.endswith("pages without a text layer were not read: 2, 5\n")
    assert json.loads(ran.out)


def test_reading_and_loading_are_timed(command, analyzer, letter) -> None:
    timing = json.loads(command("analyze", letter, "--json").out)["timing_ms"]
    assert timing["read"] > 0
    assert timing["total"] >= timing["read"] + timing["load"]


def test_what_computes_is_said_once_on_standard_error(command, analyzer, letter) -> None:
    ran = command("analyze", letter, letter, "-u", "extract_date", "--json", "--verbose")
    assert ran.err == "engine: fake-model, int8, 2 threads\n"
    assert [json.loads(line)["document"]["name"] for line in ran.out.splitlines()]


def test_a_pipe_is_told_nothing_unless_it_asks(command, analyzer, letter) -> None:
    assert command("analyze", letter, "-u", "extract_date", "--json").err == ""


def test_a_terminal_is_told_what_computes_unless_it_is_to_be_quiet(
    command, analyzer, letter, monkeypatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert "engine: fake-model, int8, 2 threads" in command("analyze", letter, "--json").err
    assert command("analyze", letter, "--json", "--quiet").err == ""


def test_engine_options_reach_the_engine(command, analyzer, letter) -> None:
    options = ["--precision", "bf16", "--kernels", "torch", "--threads", "3", "--cache-mb", "64"]
    command("analyze", letter, *options, "--json")
    assert EngineConfig.from_mapping(analyzer.engine) == EngineConfig(
        precision="bf16", kernels="torch", num_threads=3, kv_cache_bytes=64 * 2**20
    )


def test_options_of_the_tiers_reach_the_engine(command, analyzer, letter, tmp_path) -> None:
    options = ["--host-cache-mb", "0", "--disk-cache", str(tmp_path), "--disk-cache-mb", "9"]
    command("analyze", letter, *options, "--json")
    assert EngineConfig.from_mapping(analyzer.engine) == EngineConfig(
        host_cache_bytes=0, disk_cache_dir=str(tmp_path), disk_cache_bytes=9 * 2**20
    )


def test_how_documents_are_read_reaches_the_engine(command, analyzer, letter) -> None:
    command("analyze", letter, "--slices", "chained", "--policy", "retention", "--json")
    assert EngineConfig.from_mapping(analyzer.engine) == EngineConfig(
        slices="chained", policy="retention"
    )


def test_engine_options_left_out_leave_the_engine_its_choice(command, analyzer, letter) -> None:
    command("analyze", letter, "--threads", "auto", "--json")
    assert EngineConfig.from_mapping(analyzer.engine) == EngineConfig()


def test_the_environment_sets_the_engine_and_the_command_line_wins(
    command, analyzer, letter, monkeypatch
) -> None:
    monkeypatch.setenv("ASSAY_PRECISION", "float32")
    monkeypatch.setenv("ASSAY_THREADS", "1")
    command("analyze", letter, "--precision", "bf16", "--json")
    assert EngineConfig.from_mapping(analyzer.engine) == EngineConfig(
        precision="bf16", num_threads=1
    )


@pytest.mark.parametrize(
    ("option", "value", "choices"),
    [
        ("--precision", "fp8", "'auto', 'int8', 'bf16', 'float32'"),
        ("--kernels", "cuda", "'auto', 'native', 'torch'"),
        ("--threads", "0", "neither auto nor a whole number of at least 1"),
        ("--host-cache-mb", "-1", "neither auto nor a whole number"),
        ("--disk-cache-mb", "0", "not in the range x>=1"),
        ("--disk-cache", __file__, "is a file"),
        ("--cache-mb", "many", "neither auto nor a whole number of at least 1"),
    ],
)
def test_a_wrong_engine_option_is_one_line_that_names_the_choices(
    command, analyzer, letter, option, value, choices
) -> None:
    ran = command("analyze", letter, option, value)
    assert (ran.code, ran.out, analyzer.calls) == (2, "", [])
    assert ran.err.count("\n") == 1
    assert choices in ran.err


def test_an_engine_that_cannot_be_had_is_said_once(command, analyzer, letter) -> None:
    analyzer.start_error = ConfigError("the compiled operators cannot run: no AVX-512")
    ran = command("analyze", letter, letter)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "assay: the compiled operators cannot run: no AVX-512\n"


def test_chains_are_named_or_read_from_a_file(command, analyzer, letter, tmp_path) -> None:
    assert command("analyze", letter, "--chains", "cheapest-first").code == 0
    assert analyzer.chains.chain_for("extract_date") == CHEAPEST_FIRST
    table = tmp_path / "chains.yaml"
    table.write_text("units: {extract_date: rules-only}", encoding="utf-8")
    assert command("analyze", letter, "--chains", table).code == 0
    assert analyzer.chains.chain_for("extract_date") == RULES_ONLY
    ran = command("analyze", letter, "--chains", "quickest")
    assert (ran.code, "quickest" in ran.err) == (2, True)


def test_arguments_reach_the_units_that_take_them(command, analyzer, letter) -> None:
    ran = command(
        "analyze", letter, "-u", "compare_numeric_range", "-u", "validate_date_format",
        "-a", "what=fee", "-a", "compare_numeric_range.low=5", "-a", "format=D.M.YYYY",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    compare, validate = analyzer.tasks
    assert (compare.arguments["what"], compare.arguments["low"]) == ("fee", 5)
    assert validate.arguments == {"format": "D.M.YYYY"}


@pytest.mark.parametrize(
    ("argument", "told"),
    [("what", "NAME=VALUE"), ("who=me", "no argument 'who'"), ("low=many", "low")],
)
def test_an_argument_that_cannot_be_is_told(command, analyzer, letter, argument, told) -> None:
    ran = command("analyze", letter, "-u", "compare_numeric_range", "-a", argument)
    assert (ran.code, told in ran.err) == (2, True), ran.err


def test_a_tenant_is_passed_on(command, analyzer, letter) -> None:
    assert command("analyze", letter, "-u", "extract_date", "--tenant", "acme").code == 0
    assert analyzer.tenant == "acme"


def test_a_precision_asked_for_is_passed_on(command, analyzer, letter) -> None:
    assert command("analyze", letter, "-u", "extract_date", "--min-precision", "0.95").code == 0
    assert analyzer.min_precision == 0.95


@pytest.mark.parametrize("asked", ["0", "1", "95"])
def test_a_precision_is_a_share_between_0_and_1(command, analyzer, letter, asked) -> None:
    assert command("analyze", letter, "--min-precision", asked).code == 2
