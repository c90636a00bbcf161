// Drives POST /mcp with the MCP SDK for TypeScript: asks, queries records, decides and reads a trail, as an assistant would.
//
// PLUMBLINE_URL and PLUMBLINE_TOKEN name the API and the caller; the demo corpus is ingested. It ends with an AssertionError at the
// first surprise. `conformance.py` installs the SDK and runs this.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const client = new Client({ name: "plumbline-tests", version: "1" });
const headers = { authorization: `Bearer ${process.env.PLUMBLINE_TOKEN}` };

/** Returns what a tool gives, and its text. */
async function called(name, given) {
  const result = await client.callTool({ name, arguments: given });
  const text = result.content.map((part) => part.text).join("\n");
  assert(!result.isError, `${name}: ${text}`);
  assert(text.length > 0 && text.length <= 4_000, `${name} has ${text.length} characters of text`);
  return [result.structuredContent, text];
}

/** Returns the text of a refusal. */
async function refused(name, given) {
  const result = await client.callTool({ name, arguments: given });
  assert(result.isError, `${name} with ${JSON.stringify(given)} was accepted`);
  return result.content[0].text;
}

async function asks() {
  const [report, text] = await called("find_past_failures", {
    question: "Checkout requests time out and the database refuses new connections",
    queries: ["connection pool exhausted", "too many connections", "requests wait for a connection of the pool"],
  });
  assert(report.results[0].source.name.endsWith("checkout-pool-exhaustion.md"), text);
  assert.match(text, /root cause/);
  const [answer] = await called("answer_question", {
    knowledge: "global", question: "What do I do when the vibration alarm of a pump goes off?",
  });
  const chunk = answer.citations[0].chunk_id;
  const [passage] = await called("read_passage", { knowledge: "global", chunk_id: chunk });
  assert.equal(passage.chunk_id, chunk);
  const [counted] = await called("query_records", { knowledge: "global", where: { level: "ERROR" }, select: "count" });
  assert(counted.rows[0].value > 0 && counted.rows[0].value === counted.totals.records);
  const [found] = await called("search_sources", { question: "How long does a request wait for a connection of the pool?" });
  assert(found.results.length > 0 && found.routing.sources.some((source) => source.asked === "first"));
  return [answer.meta.answer_id, chunk];
}

async function decides(chunk) {
  const [project] = await called("create_project", { name: "Assisted by TypeScript", idempotency_key: crypto.randomUUID() });
  const project_id = project.project_id;
  const [decision] = await called("record_decision", {
    project_id, decision: "Stop the pump at the second alarm", rationale: "The bearing was lost within the hour.",
    sources: [{ chunk_id: chunk, relevance: 1 }],
  });
  const [near] = await called("find_related_decisions", { project_id, decision: "when to stop a pump" });
  assert.equal(near.decisions[0].decision_id, decision.decision_id);
  await called("find_past_failures", { question: "the pump vibrates", project_id, note: true });
  const [trail] = await called("read_trail", { project_id });
  assert.equal(trail.entries.length, 2);
  return project_id;
}

async function reads(answer, project, chunk) {
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates.length, 3);
  for (const uri of [`plumbline://answers/${answer}`, `plumbline://projects/${project}/trail`, `plumbline://passages/global/${chunk}`]) {
    const { contents } = await client.readResource({ uri });
    JSON.parse(contents[0].text);
  }
}

await client.connect(new StreamableHTTPClientTransport(new URL(`${process.env.PLUMBLINE_URL}/mcp`), { requestInit: { headers } }));
const { tools } = await client.listTools();
assert(tools.length <= 16 && tools.every((tool) => tool.description));
const [answer, chunk] = await asks();
await reads(answer, await decides(chunk), chunk);
assert.match(await refused("answer_question", { knowledge: "everything", question: "why?" }), /`knowledge`/);
assert.match(await refused("read_trail", { project_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }), /no project/);
await client.close();
console.log(`${tools.length} tools with the SDK for TypeScript`);
