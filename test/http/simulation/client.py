"""A client of the simulation's API with nothing but Python's own library: python3 client.py URL TOKEN."""

import gzip
import json
import sys
import urllib.error
import urllib.request

url, token = sys.argv[1:]


def call(method, path, body=None, **headers):
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    fields = {"Authorization": "Bearer " + token, **{name.replace("_", "-"): value for name, value in headers.items()}}
    try:
        return urllib.request.urlopen(urllib.request.Request(url + path, data, fields, method=method))
    except urllib.error.HTTPError as error:
        return error


def read(response):
    return json.load(response)


run = read(call("POST", "/simulate", {"horizon": 5, "entropy": 2, "samples": 20, "seed": 7}, Idempotency_Key="once"))
again = read(call("POST", "/simulate", {"horizon": 5, "entropy": 2, "samples": 20, "seed": 7}, Idempotency_Key="once"))
assert again["id"] == run["id"]
path = run["id"]
run = read(call("GET", f"/runs/{path}?wait=30"))
results = call("GET", f"/results/{path}", Accept_Encoding="gzip")
tag = results.headers["ETag"]
forecast = json.loads(gzip.decompress(results.read()))["forecast"]
print(run["state"], len(forecast))
print(call("GET", f"/results/{path}", Accept_Encoding="gzip", If_None_Match=tag).status)
print(call("GET", f"/results/{path}.csv").read().decode().split("\r\n")[0])
print(call("GET", f"/population/{path}.csv").read().decode().split("\r\n")[0])
insight = read(call("POST", "/insight"))["forecast"]
print(insight[-1]["runs"], "run reaches year", insight[-1]["year"])
sweep = read(call("POST", "/sweeps", {"field": "entropy", "values": [1, 2], "request": {"seed": 1}}))["id"]
sweep = read(call("GET", f"/sweeps/{sweep}?wait=30"))
print(sweep["state"], [point["affected"]["mean"] for point in sweep["points"]])
print(call("DELETE", f"/runs/{path}").status, "cannot be cancelled")
print(call("POST", "/simulate", gzip.compress(b"{}"), Content_Encoding="gzip").status)
