"""vLLM's OpenAI-compatible server on a loopback port, in its own virtual environment."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from benchmarks.peers.base import PeerAnswer, PeerError, PeerModel, PeerRequest
from benchmarks.peers.child import Child

_MODEL_NAME = "benchmark"


class VllmPeer:
    """Starts the server and waits until it is healthy (about half a minute).

    Raises:
        PeerError: it ended, or was not healthy in time.
    """

    name = "vllm"

    def __init__(
        self,
        environment: Path,
        model: PeerModel,
        log: Path,
        *,
        kv_gib: int = 3,
        start_timeout_s: float = 300,
        batch_timeout_s: float = 1800,
    ) -> None:
        self._batch_timeout_s = batch_timeout_s
        port = _free_port()
        arguments = {
            "served-model-name": _MODEL_NAME,
            "dtype": "bfloat16",
            "max-model-len": "8192",
            "max-num-seqs": "256",
            "max-num-batched-tokens": "2048",
            "structured-outputs-config.backend": "guidance",
            "structured-outputs-config.disable_any_whitespace": "true",
            "host": "127.0.0.1",
            "port": str(port),
        }
        switches = ("enforce-eager", "enable-prefix-caching", "enable-prompt-tokens-details")
        command = [str(environment / "bin" / "vllm"), "serve", str(model.folder.resolve())]
        command += [item for key, value in arguments.items() for item in (f"--{key}", value)]
        command += [f"--{switch}" for switch in switches]
        variables = {
            "VLLM_CPU_KVCACHE_SPACE": str(kv_gib),
            # Left to itself it keeps one core back for the server.
            "VLLM_CPU_OMP_THREADS_BIND": ",".join(map(str, sorted(os.sched_getaffinity(0)))),
            "HF_HUB_OFFLINE": "1",
            "VLLM_NO_USAGE_STATS": "1",
        }
        self.settings: Mapping[str, Any] = {
            "engine": "vllm-cpu 0.32.0",
            "api": "vllm serve, /v1/completions with token ids",
            "model": "the GGUF's weights, dequantised to bf16",
            "structured_output": "structured_outputs.json, guidance back end, no free white space",
            **{key: value for key, value in arguments.items() if key not in ("host", "port")},
            **dict.fromkeys(switches, True),
            **variables,
        }
        self._url = f"http://127.0.0.1:{port}"
        started = time.monotonic()
        self._child = Child(command, log, variables, speaks_json=False)
        try:
            self._wait_until_healthy(started + start_timeout_s)
        except BaseException:
            self._child.close()
            raise
        self.start_s = time.monotonic() - started

    @property
    def pid(self) -> int:
        return self._child.pid

    def generate(self, requests: Sequence[PeerRequest]) -> list[PeerAnswer]:
        return asyncio.run(self._generate(requests))

    def close(self) -> None:
        self._child.close()

    def _wait_until_healthy(self, deadline: float) -> None:
        with httpx.Client(trust_env=False) as client:
            while time.monotonic() < deadline:
                if not self._child.is_running:
                    raise self._child.failed("ended")
                try:
                    if client.get(f"{self._url}/health", timeout=2).status_code == 200:
                        return
                except httpx.TransportError:
                    pass  # not listening yet
                time.sleep(0.25)
        raise self._child.failed("was not healthy in time")

    async def _generate(self, requests: Sequence[PeerRequest]) -> list[PeerAnswer]:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        async with httpx.AsyncClient(
            base_url=self._url, trust_env=False, limits=limits, timeout=self._batch_timeout_s
        ) as client:
            started = time.perf_counter()
            try:
                return list(await asyncio.gather(*(_ask(client, r, started) for r in requests)))
            except httpx.HTTPError as error:
                raise self._child.failed(f"answered with {error!r}") from error


async def _ask(client: httpx.AsyncClient, request: PeerRequest, started: float) -> PeerAnswer:
    body: dict[str, Any] = {
        "model": _MODEL_NAME,
        "prompt": list(request.prompt_ids),
        "max_tokens": request.max_tokens,
        "temperature": 0,
        "ignore_eos": request.ignore_eos,
    }
    if request.schema is not None:
        body["structured_outputs"] = {"json": request.schema}
    response = await client.post("/v1/completions", json=body)
    latency_s = time.perf_counter() - started
    if response.status_code != 200:
        raise PeerError(f"vLLM answered {response.status_code}: {response.text[:300]}")
    answer = response.json()
    usage = answer["usage"]
    return PeerAnswer(
        text=answer["choices"][0]["text"],
        num_tokens=usage["completion_tokens"],
        finish_reason=answer["choices"][0]["finish_reason"],
        latency_s=latency_s,
        num_cached_tokens=(usage.get("prompt_tokens_details") or {}).get("cached_tokens"),
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
