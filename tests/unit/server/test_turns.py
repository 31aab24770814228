"""Nobody waits for another tenant's whole queue."""

import asyncio

from assay.server.turns import FairTurns


async def serve(turns: FairTurns, tenant: str, name: str, order: list[str]) -> None:
    async with turns.turn(tenant):
        order.append(name)
        await asyncio.sleep(0)


def test_tenants_are_served_one_after_the_other() -> None:
    async def run() -> list[str]:
        turns, order = FairTurns(1), []
        many = [serve(turns, "a", f"a{n}", order) for n in range(4)]
        few = [serve(turns, "b", f"b{n}", order) for n in range(2)]
        await asyncio.gather(*many, *few)
        return order

    assert asyncio.run(run()) == ["a0", "a1", "b0", "a2", "b1", "a3"]


def test_one_tenant_has_no_more_than_its_share() -> None:
    async def run() -> int:
        turns, running, most = FairTurns(4, most_of_one=2), 0, 0

        async def work() -> None:
            nonlocal running, most
            async with turns.turn("a"):
                running += 1
                most = max(most, running)
                await asyncio.sleep(0)
                running -= 1

        await asyncio.gather(*(work() for _ in range(9)))
        return most

    assert asyncio.run(run()) == 2


def test_who_gives_up_waiting_leaves_no_turn_behind() -> None:
    async def run() -> list[str]:
        turns, order = FairTurns(1), []
        async with turns.turn("a"):
            waiting = asyncio.create_task(serve(turns, "a", "never", order))
            await asyncio.sleep(0)
            assert turns.num_waiting == 1
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert turns.num_waiting == 0
        await serve(turns, "b", "later", order)
        return order

    assert asyncio.run(run()) == ["later"]


def test_who_is_cancelled_as_its_turn_comes_gives_it_back() -> None:
    async def run() -> list[str]:
        turns, order = FairTurns(1), []
        async with turns.turn("a"):
            waiting = asyncio.create_task(serve(turns, "a", "never", order))
            await asyncio.sleep(0)
        waiting.cancel()  # its turn was handed over, but it has not run yet
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.wait_for(serve(turns, "b", "later", order), 1)
        return order

    assert asyncio.run(run()) == ["later"]


def test_a_failure_gives_its_turn_back() -> None:
    async def run() -> None:
        turns = FairTurns(1)
        for _ in range(3):
            try:
                async with turns.turn("a"):
                    raise ValueError
            except ValueError:
                pass

    asyncio.run(asyncio.wait_for(run(), 1))
