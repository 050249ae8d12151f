"""Runs a candidate on the arguments of one case, inside the sandbox. It never sees an expected value.

Standard input, after this program: the number of bytes of the job in a line, then the job, JSON of {"code", "args": JSON text}. One frame on what was
standard output: a length of 4 bytes (big-endian), then "OUTCOME\n" and a text. What the candidate prints goes to standard error.
"""
import json, os, sys

stream = os.dup(1)
os.dup2(2, 1)
job = json.loads(sys.stdin.buffer.read(int(sys.stdin.buffer.readline())))
frame_bytes_max = 600000
# A candidate may replace these for itself.
loads, dumps, write = json.loads, json.dumps, os.write


def put(outcome, text):
    body = ('%s\n' % outcome).encode() + text.encode('utf-8', 'replace')
    if len(body) > frame_bytes_max:
        body = b'too_large\n%d bytes' % len(body)
    data = len(body).to_bytes(4, 'big') + body
    while data:
        data = data[write(stream, data):]


def describe(error):
    try:
        return ('%s: %s' % (type(error).__name__, error))[:300]
    except BaseException:
        return type(error).__name__


class Invalid(Exception):
    pass


def check(value, depth=0):
    """Refuses what json.dumps would change: keys that are no texts, and values nested too deep."""
    if depth > 70:
        raise Invalid('nested too deep')
    kind = type(value)
    if kind is dict:
        for key, member in value.items():
            if type(key) is not str:
                raise Invalid('a member name of type ' + type(key).__name__)
            check(member, depth + 1)
    elif kind is list or kind is tuple:
        for item in value:
            check(item, depth + 1)
    elif kind not in (str, int, float, bool, type(None)):
        raise Invalid('a value of type ' + kind.__name__)


def encode(value):
    try:
        check(value)
        text = dumps(value, allow_nan=False, ensure_ascii=False, separators=(',', ':'))
        text.encode()
        return 'returned', text
    except (Invalid, ValueError, OverflowError, RecursionError) as error:
        return 'invalid', str(error) if type(error) is Invalid else describe(error)


def run():
    # Dataclasses, type hints and pickle look a class up in its module.
    module = sys.modules['candidate'] = type(sys)('candidate')
    names = vars(module)
    names['__builtins__'] = __builtins__
    try:
        exec(compile(job['code'], 'candidate.py', 'exec', dont_inherit=True), names)
        if 'solve' not in names:
            return 'raised', 'it defines no solve(...)'
        value = names['solve'](*loads(job['args']))
    except BaseException as error:
        return 'raised', describe(error)
    return encode(value)


put(*run())
os._exit(0)
