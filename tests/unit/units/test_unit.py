"""A unit's declaration is checked where it is written."""

from typing import Annotated

import pytest
from pydantic import BaseModel

from assay.errors import UnitDeclarationError
from assay.units import Clause, Example, Question, Unit, Verbatim
from tests.support.excerpts import make_excerpt

ASK = Question("Which town?", keywords={"town": 1.0}, text_zh="哪座城？")


class Town(BaseModel):
    town: Annotated[Verbatim | None, ASK] = None


def declare(output=Town, **changes):
    return Unit(**{"name": "extract_town", "summary": "The town.", "output": output, **changes})


def test_a_field_becomes_an_object_schema_of_its_own():
    field = declare().fields["town"]
    assert field.schema["required"] == ["town"]
    assert field.schema["properties"]["town"]["anyOf"][0]["x-verbatim"] == "word"
    assert field.family == "extract_town.town"


def test_the_document_comes_before_the_question():
    unit = declare()
    excerpt = make_excerpt("The town is Bergen.", [(0, 19, ())])
    system, user = unit.messages(unit.fields["town"], excerpt, chinese=False)
    assert system.role == "system"
    assert user.content.index("Bergen") < user.content.index("Which town?")
    assert "哪座城" in unit.messages(unit.fields["town"], excerpt, chinese=True)[1].content


def test_what_stands_in_a_document_is_not_a_template():
    unit = declare()
    excerpt = make_excerpt("Pay $question now.", [(0, 18, ())])
    content = unit.messages(unit.fields["town"], excerpt, chinese=False)[1].content
    assert "Pay $question now." in content


def test_examples_stand_between_document_and_question():
    question = Question(
        "Which town?", keywords={"town": 1.0}, examples=(Example("He lives in Oslo.", "Oslo"),)
    )

    class WithExample(BaseModel):
        town: Annotated[Verbatim, question]

    unit = declare(WithExample)
    content = unit.messages(unit.fields["town"], make_excerpt("x", [(0, 1, ())]), chinese=False)[1]
    assert 'He lives in Oslo.” gives {"town": "Oslo"}' in content.content


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Extract Town"},
        {"prompt": "$question about $document"},
        {"prompt": "$document"},
        {"prompt": "$document $question $secret"},
    ],
)
def test_a_contradictory_declaration_is_refused(changes):
    with pytest.raises(UnitDeclarationError):
        declare(**changes).fields  # noqa: B018


def test_a_field_without_a_question_is_refused():
    class Bare(BaseModel):
        town: Verbatim

    with pytest.raises(UnitDeclarationError, match="0 questions"):
        declare(Bare)


def test_a_question_must_say_where_to_look():
    class Nowhere(BaseModel):
        town: Annotated[Clause, Question("Which town?", keywords={})]

    with pytest.raises(UnitDeclarationError, match="keywords"):
        declare(Nowhere)
