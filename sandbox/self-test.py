"""Reports what the sandbox permits, as one JSON object in a frame. The host decides whether that is little enough."""
import ctypes, json, os, resource, signal, sys

stream = os.dup(1)
sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))


def fails(action):
    try:
        action()
        return False
    except OSError:
        return True


def interfaces():
    with open('/proc/net/dev') as file:
        return sorted(line.split(':')[0].strip() for line in file.readlines()[2:])


def writable():
    """Returns the mount points, and other places, in which a file can be made."""
    with open('/proc/self/mountinfo') as file:
        points = {line.split()[4] for line in file}
    places = points | {'/', '/etc', '/usr', '/usr/bin', '/dev', '/dev/shm', '/run', '/var', '/proc', '/sys', '/home', '/root'}
    return sorted(place for place in places if os.path.isdir(place) and not fails(lambda: touch(place)))


def touch(place):
    path = os.path.join(place, 'agent-cli-self-test')
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    os.unlink(path)


def root_options():
    with open('/proc/self/mountinfo') as file:
        return next(line.split()[5] for line in file if line.split()[4] == '/').split(',')


def tmp_bytes():
    found = os.statvfs('/tmp')
    return found.f_blocks * found.f_frsize


def status(name):
    with open('/proc/self/status') as file:
        return next((line.split(':')[1].strip() for line in file if line.startswith(name + ':')), '')


def processes():
    """Returns how many processes could be begun, of at most argv[2]."""
    children = []
    while len(children) < int(sys.argv[2]):
        try:
            child = os.fork()
        except OSError:
            break
        if child == 0:
            signal.pause()
            os._exit(0)
        children.append(child)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return len(children)


def hog(megabytes):
    """Returns the signal that ends a process which takes memory beyond the limit, or 0."""
    child = os.fork()
    if child == 0:
        kept = []
        for _ in range(megabytes + 64):
            kept.append(bytearray(b'x' * 1048576))
        os._exit(0)
    ended = os.waitpid(child, 0)[1]
    return os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else 0


libc = ctypes.CDLL(None, use_errno=True)


def call(number, *args):
    ctypes.set_errno(0)
    return 0 if libc.syscall(number, *args) >= 0 else ctypes.get_errno()


# socket and unshare by their numbers on x64 and arm64
numbers = {'x86_64': (41, 272), 'aarch64': (198, 97)}.get(os.uname().machine, (0, 0))
found = {
    'interfaces': interfaces(),
    'root_read_only': 'ro' in root_options(),
    'writable': writable(),
    'tmp_bytes': tmp_bytes(),
    'ulimits': [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)],
    'uid': os.getuid(),
    'capabilities': status('CapEff') + ' ' + status('CapBnd'),
    'no_new_privileges': status('NoNewPrivs'),
    'seccomp': status('Seccomp'),
    'socket': call(numbers[0], 1, 1, 0),
    'unshare': call(numbers[1], 0x10000000),
    'node': os.access('/usr/bin/node', os.X_OK),
    'processes': processes(),
    'hog_signal': hog(int(sys.argv[1])),
}
body = json.dumps(found).encode()
os.write(stream, len(body).to_bytes(4, 'big') + body)
os._exit(0)
