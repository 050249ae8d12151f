"""A client of the message bus with Debian's python3-grpcio: python3 client.py HOST:PORT TOKEN."""

import json
import sys
import time

import grpc


def connect():
    options = [("grpc.use_local_subchannel_pool", 1)]
    channel = grpc.insecure_channel(sys.argv[1], options=options)
    return channel.unary_unary("/bus.Bus/Send")


def received():
    """The first envelope for market, with the token of the home."""
    channel = grpc.insecure_channel(sys.argv[1])
    subscribe = channel.unary_stream("/bus.Bus/Subscribe")
    metadata = [("authorization", "Bearer " + sys.argv[2])]
    for message in subscribe(b'{"recipient":"market","after":0}', metadata=metadata, timeout=60):
        return json.loads(message)["envelope"]["sender"]


def status_of(send, message):
    try:
        send(message, timeout=60)
        return "OK"
    except grpc.RpcError as error:
        return error.code().name


envelope = {"sender": "python", "recipient": "market", "ts": time.time(), "payload": {"task": "try", "n": [1, 2.5, None]}}
send = connect()
print(send(b"proto_schema=1 a-nonce", timeout=60).decode())
print(send(json.dumps(envelope).encode(), timeout=60).decode())
print(status_of(connect(), json.dumps(envelope).encode()))
print(status_of(send, b"{"))
print(received())
