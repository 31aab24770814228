"""The units that a request may name."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends

from assay.server.auth import Caller, caller_with
from assay.server.responses import ListBody, UnitBody
from assay.server.store.keys import Scope
from assay.units import Unit, all_units, get_unit

router = APIRouter(prefix="/v1/units", tags=["units"])
_Caller = Annotated[Caller, Depends(caller_with(Scope.ANALYZE))]


@router.get("")
async def list_units(_caller: _Caller) -> ListBody:
    """All units, with the JSON Schemas of what they find and of the arguments they take."""
    units: Sequence[Unit] = await asyncio.to_thread(all_units)
    return ListBody(data=[_body(unit) for unit in units])


@router.get("/{name}")
async def show_unit(name: str, _caller: _Caller) -> UnitBody:
    """One unit."""
    return _body(await asyncio.to_thread(get_unit, name))


def _body(unit: Unit) -> UnitBody:
    arguments = unit.arguments.model_json_schema() if unit.arguments else None
    return UnitBody(
        name=unit.name,
        summary=unit.summary,
        version=unit.version,
        output_schema=unit.output.model_json_schema(),
        arguments_schema=arguments,
    )
