"""A small MCP server for the tests of the proxy: it does what its tools are called for, and keeps every line it gets.

usage: server.py FOLDER

FOLDER/received   each line of standard input, as it came
FOLDER/tools.json the tools to list, read at every listing; two on a page, or 1,000 of many
FOLDER/restless   while it is there, every listing is followed by word that the tools changed
"""

import json
import os
import signal
import sys
import time

FOLDER = sys.argv[1]


def write(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text(content):
    return {"content": [{"type": "text", "text": content}]}


def listed(params):
    with open(os.path.join(FOLDER, "tools.json"), encoding="utf-8") as file:
        tools = json.load(file)
    start = int(params.get("cursor", "0"))
    end = start + (1000 if len(tools) > 100 else 2)
    page = {"tools": tools[start:end]}
    if end < len(tools):
        page["nextCursor"] = str(end)
    return page


def call(identifier, params):
    name = params["name"]
    if name == "exit":
        sys.exit(params["arguments"]["code"])
    if name == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "stay":
        # Neither the end of its input nor a request to end impresses it.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with open(os.path.join(FOLDER, "pid"), "w", encoding="utf-8") as file:
            file.write(str(os.getpid()))
        write({"id": identifier, "result": text("staying")})
        for line in sys.stdin:
            pass
        while True:
            time.sleep(1)
    if name == "ask":
        write({"id": "s-1", "method": "sampling/createMessage", "params": {"maxTokens": 1}})
        write({"method": "notifications/progress", "params": {"progressToken": "t", "progress": 0}})
    if name == "junk":
        print("listening on port 3000", flush=True)
        sys.stdout.buffer.write(b"\xff\xfe\n")
        print('{"jsonrpc":"2.0","id":1,"id":2,"result":{}}', flush=True)
    if name == "environment":
        found = sorted(name for name in os.environ if name.startswith("HALTGATE_"))
        write({"id": identifier, "result": text(",".join(found))})
        return
    write({"id": identifier, "result": text("called " + name)})


def main():
    print("a word on standard error", file=sys.stderr, flush=True)
    received = open(os.path.join(FOLDER, "received"), "ab", buffering=0)
    for line in sys.stdin.buffer:
        received.write(line)
        try:
            message = json.loads(line)
        except ValueError:
            continue
        method, identifier = message.get("method"), message.get("id")
        params = message.get("params", {})
        if method == "initialize":
            write({"id": identifier, "result": {"protocolVersion": params["protocolVersion"], "capabilities": {}}})
        elif method == "tools/list":
            write({"id": identifier, "result": listed(params)})
            if os.path.exists(os.path.join(FOLDER, "restless")):
                write({"method": "notifications/tools/list_changed"})
        elif method == "tools/call":
            call(identifier, params)
        elif method == "test/change":
            write({"method": "notifications/tools/list_changed"})
            write({"id": identifier, "result": {}})
        elif method is not None and identifier is not None:
            write({"id": identifier, "result": {"method": method}})


main()
