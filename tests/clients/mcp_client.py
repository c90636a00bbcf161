"""Drives POST /mcp with the MCP SDK for Python: asks, queries records, decides and reads a trail, as an assistant would.

PLUMBLINE_URL and PLUMBLINE_TOKEN name the API and the caller. It ends with an AssertionError at the first surprise.
"""

import asyncio
import os

from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

URL = os.environ["PLUMBLINE_URL"]
HEADERS = {"Authorization": f"Bearer {os.environ['PLUMBLINE_TOKEN']}"}


async def called(session, tool, /, **arguments):
    """Returns what a tool gives; both of its forms must be short."""
    result = await session.call_tool(tool, arguments)
    text = "\n".join(part.text for part in result.content)
    assert not result.is_error, f"{tool}: {text}"
    assert 0 < len(text) <= 4_000, f"{tool} has {len(text)} characters of text"
    return result.structured_content, text


async def refused(session, tool, /, **arguments):
    result = await session.call_tool(tool, arguments)
    assert result.is_error, f"{tool} with {arguments} was accepted"
    return result.content[0].text


async def looks_around(session):
    """What may be searched, and which documents there are."""
    listed_bases, text = await called(session, "list_knowledge")
    base = next(base for base in listed_bases["knowledge"] if base["knowledge"] == "global")
    assert base["documents"] > 40 and base["document_types"]["postmortem"] > 10 and "global: " in text, text
    found, text = await called(session, "find_documents", words="pool exhaustion postmortem")
    names = [document["name"] for document in found["documents"]]
    assert names == ["postmortems/checkout-pool-exhaustion.md"] and names[0] in text, text


async def asks(session):
    found, text = await called(
        session, "find_past_failures", question="Checkout requests time out and the database refuses new connections",
        queries=["connection pool exhausted", "too many connections", "requests wait for a connection of the pool"])
    first = listed(found, found["results"][0]["passage"])
    assert first["file"].endswith("checkout-pool-exhaustion.md"), text
    assert "Causes:" in text and "checkout-pool-exhaustion.md:" in text, text
    answer, text = await called(session, "answer_question", knowledge="global", question="What do I do when the vibration alarm of a pump goes off?")
    assert answer["citations"] and answer["meta"]["answer_id"], text
    chunk = listed(answer, answer["citations"][0]["passage"])["passage_id"]
    passage, _ = await called(session, "read_passage", knowledge="global", passage_id=chunk)
    assert passage["passage_id"] == chunk
    counted, text = await called(session, "query_records", knowledge="global", where={"level": "ERROR"}, select="count")
    assert counted["rows"][0]["value"] == counted["totals"]["records"] > 0, text
    columns, text = await called(session, "list_columns", knowledge="global")
    assert any(column["name"] == "level" for column in columns["columns"]) and " from 20" in text, text
    return answer["meta"]["answer_id"], chunk


def listed(reply, number):
    """The passage that has this number in the reply."""
    return next(passage for passage in reply["passages"] if passage["number"] == number)


async def decides(session, chunk):
    project, _ = await called(session, "create_project", name="Assisted", idempotency_key="assisted-1")
    again, _ = await called(session, "create_project", name="Assisted", idempotency_key="assisted-1")
    identity = project["project_id"]
    assert again["project_id"] == identity, "a repeated call creates a second project"
    decision, _ = await called(
        session, "record_decision", project_id=identity, decision="Stop the pump at the second alarm",
        rationale="The bearing was lost within the hour.", sources=[{"passage_id": chunk, "relevance": 1}])
    near, _ = await called(session, "find_related_decisions", project_id=identity, decision="when to stop a pump")
    assert near["decisions"][0]["decision_id"] == decision["decision_id"]
    await called(session, "find_past_failures", question="nobody notes this", project_id=identity, note=True)
    await called(session, "note_question", question="the pump vibrates", project_id=identity)
    trail, text = await called(session, "read_trail", project_id=identity)
    assert len(trail["entries"]) == 2 and "Asked: the pump vibrates" in text, text
    assert "nobody notes this" not in text, "a tool that only reads wrote"
    return identity


async def reads(session, answer, project, chunk):
    templates = await session.list_resource_templates()
    assert len(templates.resource_templates) == 3
    for address in (f"plumbline://answers/{answer}", f"plumbline://projects/{project}/trail", f"plumbline://passages/global/{chunk}"):
        read = await session.read_resource(address)
        assert read.contents[0].text.startswith("{"), address


async def is_refused(session):
    assert "`knowledge`" in await refused(session, "answer_question", knowledge="everything", question="why?")
    assert "question" in await refused(session, "find_past_failures", question="")
    assert "no project" in await refused(session, "read_trail", project_id="01ARZ3NDEKTSV4RRFFQ69G5FAV")


async def main():
    async with streamable_http_client(f"{URL}/mcp", http_client=create_mcp_http_client(headers=HEADERS)) as streams:
        async with ClientSession(*streams[:2]) as session:
            await session.initialize()
            tools = await session.list_tools()
            assert len(tools.tools) <= 19 and all(tool.description for tool in tools.tools)
            await looks_around(session)
            answer, chunk = await asks(session)
            project = await decides(session, chunk)
            await reads(session, answer, project, chunk)
            await is_refused(session)
    print(f"{len(tools.tools)} tools")


asyncio.run(main())
