"""Counts and times for Prometheus: requests by route, analyses in flight, results of units, and
what requests in words were about, by tenant. Numbers: no word of a request or a document."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.routing import RouteStatistics
from assay.types import UnitResult

#: Seconds; an answer takes tens of milliseconds from rules and seconds from a model.
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """All that one service counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "assay_http_requests", "Requests", ("route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "assay_http_request_seconds",
            "Time to the first byte of an answer",
            ("route",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.results = Counter(
            "assay_unit_results", "Results", ("unit", "status", "path"), registry=self.registry
        )
        self.tokens = Counter("assay_tokens", "Tokens", ("kind",), registry=self.registry)

    def count_results(self, results: Mapping[str, UnitResult]) -> None:
        """Counts what an analysis came to."""
        for unit, result in results.items():
            path = result.path.value if result.path else "none"
            self.results.labels(unit, result.status.value, path).inc()
            used = result.usage
            self.tokens.labels("prompt").inc(used.num_prompt_tokens)
            self.tokens.labels("cached").inc(used.num_cached_tokens)
            self.tokens.labels("decoded").inc(used.num_decoded_tokens)
            self.tokens.labels("forced").inc(used.num_forced_tokens)

    def watch(self, routes: RouteStatistics, num_in_flight: Callable[[], tuple[int, int]]) -> None:
        """Has what others count read when it is asked for: requests in words by tenant, and how
        many analyses run and wait."""
        self.registry.register(_Watched(routes, num_in_flight))

    def as_text(self) -> bytes:
        """In Prometheus' text format."""
        return generate_latest(self.registry)


class _Watched(Collector):
    def __init__(
        self, routes: RouteStatistics, num_in_flight: Callable[[], tuple[int, int]]
    ) -> None:
        self._routes = routes
        self._num_in_flight = num_in_flight

    def collect(self) -> Iterator[Metric]:
        analyses = GaugeMetricFamily("assay_analyses", "Analyses in flight", labels=["state"])
        for state, number in zip(("running", "waiting"), self._num_in_flight(), strict=True):
            analyses.add_metric([state], number)
        yield analyses
        about = {
            kind: CounterMetricFamily(
                f"assay_routed_{kind}", f"Requests in words, by {kind}", labels=["tenant", kind]
            )
            for kind in ("descriptor", "unit")
        }
        refused = CounterMetricFamily(
            "assay_routed_refused", "Requests in words that fit no unit", labels=["tenant"]
        )
        for tenant, counts in self._routes.as_json().items():
            refused.add_metric([tenant], counts["num_refused"])
            for kind, family in about.items():
                for name, number in counts[f"{kind}s"].items():
                    family.add_metric([tenant, name], number)
        yield from (*about.values(), refused)


class CountRequests:
    """ASGI middleware: each request, by the route that answered it, and the time to its answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", "none")
                name = f"{scope['method']} {route}" if route != "none" else "none"
                self._metrics.requests.labels(name, message["status"]).inc()
                self._metrics.seconds.labels(name).observe(time.perf_counter() - started)
            await send(message)

        await self._app(scope, receive, counted)
