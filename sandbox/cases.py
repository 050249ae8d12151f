"""Runs each case of a candidate in a fresh process, inside the sandbox, so that no case finds what another one left in memory.

Standard input, after this program: the number of bytes of the job in a line, then the job, JSON of {"command", "program", "code", "args": [JSON text,
...], "cpu_s", "mem_mb"}. `command` starts the process of a case, which reads `program`, the runner of its language, and then {"code", "args"} as this
program is read. Frames on standard output: a length of 4 bytes (big-endian), then "ready", later "CASE OUTCOME\\n" and a text. What the candidate
prints goes to standard error.
"""
import ctypes, json, os, select, signal, sys

frame_bytes_max = 600100
left = 900000
poll_s = 0.05
outcomes = {b'returned', b'raised', b'invalid', b'too_large'}
set_dumpable = 4
# A candidate has the same user: it must not reach this process's memory, which holds the arguments of every case, nor its output.
ctypes.CDLL(None).prctl(set_dumpable, 0, 0, 0, 0)
job = json.loads(sys.stdin.buffer.read(int(sys.stdin.buffer.readline())))


def send(body):
    sys.stdout.buffer.write(len(body).to_bytes(4, 'big') + body)
    sys.stdout.buffer.flush()


def put(case, outcome, text):
    global left
    body = b'%d %s\n%s' % (case, outcome, text)
    if len(body) > left:
        body = b'%d too_large\n%d bytes' % (case, len(text))
    left -= len(body) + 4
    send(body)


def begin(args):
    """Starts the process of a case, and returns it with its output. Its group holds what it starts."""
    (inside, to), (out, inner) = os.pipe(), os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, inside, 0), (os.POSIX_SPAWN_DUP2, inner, 1)]
    command = job['command']
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=actions, setsid=True, setsigdef=[signal.SIGPIPE])
    os.close(inside)
    os.close(inner)
    with open(to, 'wb') as stream:
        for text in (job['program'], json.dumps({'code': job['code'], 'args': args})):
            data = text.encode()
            stream.write(b'%d\n%s' % (len(data), data))
    return pid, out


def answer(pid, out):
    """Returns the first frame, and how the process ended; None for a frame that did not come, and for a process that goes on."""
    data, ended = b'', None
    while True:
        size = int.from_bytes(data[:4], 'big') if len(data) >= 4 else frame_bytes_max
        if size > frame_bytes_max:
            return None, ended
        if len(data) >= 4 + size:
            return data[4:4 + size], ended
        if select.select([out], [], [], 0 if ended else poll_s)[0]:
            chunk = os.read(out, 65536)
            data += chunk
            if not chunk:
                return None, ended or os.wait4(pid, 0)
        elif ended:
            return None, ended
        else:
            found = os.wait4(pid, os.WNOHANG)
            ended = found if found[0] else None


def is_text(data):
    try:
        data.decode()
        return True
    except UnicodeDecodeError:
        return False


def reason(ended):
    """Returns why a process gave no answer."""
    if ended is None:
        return 'it wrote to the channel of the answers'
    _, status, usage = ended
    if not os.WIFSIGNALED(status):
        return 'it ended its process before it returned'
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU or (number == signal.SIGKILL and usage.ru_utime + usage.ru_stime >= job['cpu_s']):
        return 'stopped after %d s of CPU time' % job['cpu_s']
    if number == signal.SIGKILL:
        return 'killed, as when it takes more than %d MiB of memory' % job['mem_mb']
    return 'ended by signal %d' % number


def end(pid):
    """Ends whatever a case has begun. The first process of a container inherits it, and so can leave nothing."""
    try:
        os.kill(-1 if os.getpid() == 1 else -pid, signal.SIGKILL)
    except OSError:
        pass
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass


def run(args):
    pid, out = begin(args)
    frame, ended = answer(pid, out)
    os.close(out)
    end(pid)
    outcome, _, text = (frame or b'').partition(b'\n')
    return (outcome, text) if outcome in outcomes and is_text(text) else (b'missing', reason(ended).encode())


send(b'ready')
for case, args in enumerate(job['args']):
    try:
        result = run(args)
    except OSError:
        result = b'missing', b'its process could not be started'
    put(case, *result)
