"""A client of POST /mcp without a library of the protocol: from a CSV to an approved forecast.

python3 raw_client.py URL TOKEN CSV; prints the id of the mission, waits for a line on standard input, and prints the approved result.
"""

import itertools
import json
import sys
import urllib.request

url, token, csv = sys.argv[1:]
ids = itertools.count(1)
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def request(method, params=None, name=None):
    body = {"jsonrpc": "2.0", "id": next(ids), "method": method, "params": {**(params or {}), "_meta": META}}
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
    }
    if name is not None:
        headers["Mcp-Name"] = name
    sent = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(sent) as answer:
        reply = json.load(answer)
    assert reply["id"] == body["id"] and reply["result"]["resultType"] == "complete", reply
    return reply["result"]


def call(tool, **arguments):
    result = request("tools/call", {"name": tool, "arguments": arguments}, tool)
    assert not result.get("isError"), result["content"][0]["text"]
    return result["structuredContent"]


assert "2026-07-28" in request("server/discover")["supportedVersions"]
with open(csv, encoding="utf-8") as file:
    texts = [{"name": "sales.csv", "text": file.read()}]
options = {"goal": "Forecast the sales of the next half year", "set": {"horizon": 6}}
draft = call("mission_draft", kind="forecast", texts=texts, options=options)
mission = call("mission_submit", draft=draft["draft"])["id"]
assert call("mission_result", id=mission)["approved"] is False
print(mission, flush=True)
sys.stdin.readline()
result = call("mission_result", id=mission, wait_seconds=5)
uri = f"agent-cli://missions/{mission}/export"
export = request("resources/read", {"uri": uri}, uri)["contents"][0]["text"]
print(json.dumps({"approved": result["approved"], "forecast": result["result"]["forecast"], "export": json.loads(export)["schema"]}))
