/** Attacks: candidates that use up what they can, try to be judged wrongly, or try to reach the host, the network or other processes. */
import type { Language } from '../../src/sandbox/programs.js';
import type { CandidateRan } from '../../src/sandbox/run.js';

interface Attack {
  readonly name: string;
  readonly language?: Language;
  readonly code: string;
  /** The arguments of each case; one case without arguments when absent. */
  readonly args?: readonly string[];
  /** The end of the run, 'exited' when absent. */
  readonly ends?: readonly CandidateRan['end'][];
  /** The beginning of what each case gives: an outcome and a text. */
  readonly gives: readonly RegExp[];
}

const nothing = /^missing/;
const eight = Array.from({ length: 8 }, (_, n) => `[${n}]`);
const python = (body: string): string =>
  `import ctypes, json, os, signal, socket, sys, time\ndef solve(*args):\n${indented(body)}`;
const indented = (body: string): string =>
  body
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('');
/** The process of a case that takes too much memory is killed, and with less luck the whole run. */
const full = ['exited', 'memory_limit'] as const;
const timed = /^missing stopped after 1 s of CPU time$/;

/** Returns code that lists the actions of a table which were possible: a control, and none of the others. */
const possible = (actions: string): string =>
  python(`libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    if libc.syscall(number, *args) < 0:
        raise OSError(ctypes.get_errno(), 'refused')
def write(path):
    with open(path, 'r+b' if os.path.exists(path) else 'wb') as file:
        file.write(b'x')
done = []
actions = {'control': lambda: write('/tmp/control'), ${actions}}
for name, action in actions.items():
    try:
        action()
        done.append(name)
    except (OSError, ValueError):
        pass
return done`);
const none = /^returned \["control"\]$/;
const writes = (...paths: readonly string[]): string =>
  possible(paths.map((path) => `'${path}': lambda: write('${path}')`).join(', '));
/** System calls by their numbers on x64. */
const calls = (table: Readonly<Record<string, string>>): string =>
  possible(
    Object.entries(table)
      .map(([name, args]) => `'${name}': lambda: call(${args})`)
      .join(', '),
  );

const exhaustion: readonly Attack[] = [
  {
    name: 'fork bomb',
    code: python('while True: os.fork()'),
    ends: ['exited', 'deadline', 'killed', 'memory_limit'],
    gives: [/^(raised|missing)/],
  },
  {
    name: 'fork bomb that goes on',
    code: python('while True:\n    try: os.fork()\n    except OSError: pass'),
    ends: ['deadline', 'exited', 'killed', 'memory_limit'],
    gives: [nothing],
  },
  {
    name: 'thread bomb',
    code: python('import _thread\nwhile True: _thread.start_new_thread(time.sleep, (99,))'),
    gives: [/^raised RuntimeError/],
  },
  {
    name: 'memory hog, heap',
    code: python('x = []\nwhile True: x.append("x" * 99999)'),
    ends: full,
    gives: [/^missing( killed, as when it takes more than 128 MiB of memory)?$/],
  },
  {
    name: 'memory hog, heap of Node',
    language: 'javascript',
    code: 'const solve = () => { const x = []; for (;;) x.push("x".repeat(9999) + x.length, {}); };',
    ends: full,
    gives: [nothing],
  },
  {
    name: 'memory hog, buffers',
    language: 'javascript',
    code: 'const solve = () => { const x = []; for (;;) x.push(Buffer.alloc(2 ** 23, 1)); };',
    ends: full,
    gives: [nothing],
  },
  {
    name: 'memory hog, a mapping',
    code: python('import mmap\nm = mmap.mmap(-1, 2 ** 29)\nfor i in range(0, 2 ** 29, 4096): m[i] = 1'),
    ends: full,
    gives: [nothing],
  },
  { name: 'busy loop of Node', language: 'javascript', code: 'const solve = () => { for (;;) {} };', gives: [timed] },
  {
    name: 'busy loop that ignores the signal',
    code: python('signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass'),
    gives: [timed],
  },
  { name: 'sleep past the deadline', code: python('time.sleep(999)'), ends: ['deadline'], gives: [nothing] },
  { name: 'import-time work', code: 'while True: pass\ndef solve(): return 1', gives: [timed] },
  { name: 'output flood', code: python('while True: print("x" * 9999)'), ends: ['output_limit', 'exited'], gives: [nothing] },
  {
    name: 'flood of the channel',
    code: python('while True: os.write(3, b"x" * 65536)'),
    gives: [/^missing it wrote to the channel/],
  },
  {
    name: 'full /tmp',
    code: python('for i in range(99):\n    open(f"/tmp/{i}", "wb").write(bytes(2 ** 20))'),
    gives: [/^raised OSError.*28/],
  },
  {
    name: 'a file beyond its limit',
    code: python('f = open("/tmp/x", "wb")\nf.seek(2 ** 24)\nf.write(b"x")\nf.close()'),
    gives: [/^raised OSError/],
  },
];

const frame = (body: string): string => `(lambda b: os.write(3, len(b).to_bytes(4, 'big') + b))(b'${body}')`;

/** Code that counts the texts of a pattern that it finds in its memory and in every file that it can read. */
const search = python(`import gc, re
pattern = re.compile('EXPECTED' + '-[0-9a-f]{32}')
seen = [repr(one)[:99999] for one in gc.get_objects() if isinstance(one, (dict, list, tuple, str))]
for folder, _, names in list(os.walk('/tmp')) + list(os.walk('/run')) + list(os.walk('/etc')):
    for name in names:
        try: seen.append(open(os.path.join(folder, name), errors='replace').read(99999))
        except OSError: pass
for name in ('cmdline', 'environ'):
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try: seen.append(open(f'/proc/{pid}/{name}', errors='replace').read())
        except OSError: pass
with open('/proc/self/maps') as maps, open('/proc/self/mem', 'rb', 0) as mem:
    for line in maps:
        low, high = (int(x, 16) for x in line.split()[0].split('-'))
        if ' rw' in line and high - low < 2 ** 25:
            try:
                mem.seek(low)
                seen.append(mem.read(high - low).decode('latin1'))
            except (OSError, ValueError, OverflowError): pass
return sum(len(pattern.findall(text)) for text in seen)`);

const cheating: readonly Attack[] = [
  { name: 'reading the expected values', code: search, gives: [/^returned 0$/] },
  {
    name: 'reading the arguments of other cases, and its own (control)',
    code: search,
    args: ['[]', `["EXPECTED-${'0123456789abcdef'.repeat(2)}"]`],
    gives: [/^returned 0$/, /^returned [1-9]/],
  },
  {
    name: 'a frame of its own',
    code: python(`${frame('returned\\n"guess"')}\n${frame('1 returned\\n"guess"')}\nreturn "right"`),
    args: ['[]', '[]'],
    gives: [/^returned "guess"$/, /^returned "guess"$/],
  },
  {
    name: 'a frame that is no frame',
    code: python("os.write(3, b'\\xff\\xff\\xff\\xff')\nreturn 1"),
    args: ['[]', '[]'],
    gives: [nothing, nothing],
  },
  {
    name: 'the first process, which runs the cases',
    code: possible(
      "'memory': lambda: open('/proc/1/mem', 'rb'), 'output': lambda: open('/proc/1/fd/1', 'wb'), 'variables': lambda: open('/proc/1/environ').read(), 'parent': lambda: open(f'/proc/{os.getppid()}/mem', 'rb')",
    ),
    gives: [none],
  },
  { name: 'exit 125, as the engine', code: python('os._exit(125)'), gives: [nothing] },
  { name: 'a huge output', code: python('return "x" * 10 ** 7'), gives: [/^too_large/] },
  { name: 'a deep output', code: python('x = []\nfor _ in range(10 ** 5): x = [x]\nreturn x'), gives: [/^invalid/] },
  { name: 'an output that contains itself', code: python('x = []\nx.append(x)\nreturn x'), gives: [/^invalid/] },
  {
    name: 'outputs that are no JSON',
    code: python('return [{1}, b"x", solve, {1: 2}, "\\ud800", 1j, float("nan"), [-float("inf")]][args[0]]'),
    args: eight,
    gives: eight.map(() => /^invalid/),
  },
  {
    name: 'outputs of Node that are no JSON',
    language: 'javascript',
    code: 'const solve = (n) => [undefined, () => 1, new Map(), 1n, [,], NaN, "\\ud800", new Date(0)][n];',
    args: eight,
    gives: eight.map(() => /^invalid/),
  },
  { name: '1 against 1.0', code: python('return [1, 1.0, True]'), gives: [/^returned \[1,1\.0,true\]$/] },
];

const host: readonly Attack[] = [
  {
    name: 'writes outside /tmp',
    code: writes('/x', '/etc/passwd', '/usr/bin/node', '/usr/bin/x', '/dev/shm/x', '/dev/mqueue/x', '/dev/x', '/run/x', '/sys/x'),
    gives: [none],
  },
  {
    name: 'writes to /proc',
    code: writes(
      ...['sys/kernel/core_pattern', 'sysrq-trigger', '1/oom_score_adj', 'self/uid_map', 'x'].map((one) => `/proc/${one}`),
    ),
    gives: [none],
  },
  {
    name: 'network',
    code: possible(
      "'tcp': lambda: socket.create_connection(('1.1.1.1', 53), 1), 'udp': lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM), " +
        "'unix': lambda: socket.socket(socket.AF_UNIX), 'name': lambda: socket.getaddrinfo('localhost', 80), 'raw': lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    ),
    gives: [none],
  },
  {
    name: 'network of Node',
    language: 'javascript',
    code: 'const solve = () => new Promise((done) => require("node:net").connect(80, "169.254.169.254").on("error", (e) => done(e.code)).on("connect", () => done("connected")));',
    gives: [/^returned "E(PERM|ACCES)"/],
  },
  {
    name: 'setuid',
    code: possible(
      "'setuid': lambda: os.setuid(0), 'setgid': lambda: os.setgid(0), 'setgroups': lambda: os.setgroups([0]), 'chown': lambda: os.chown('/tmp', 0, 0)",
    ),
    gives: [none],
  },
  {
    name: 'ptrace and other forbidden calls',
    code: calls({
      ptrace: '101, 16, 1, 0, 0',
      process_vm_readv: '310, 1, 0, 0, 0, 0, 0',
      unshare: '272, 0x10000000',
      mount: '165, 0, 0, 0, 0, 0',
      io_uring_setup: '425, 1, 0',
      bpf: '321, 0, 0, 0',
      keyctl: '250, 0, 0, 0, 0, 0',
      perf_event_open: '298, 0, 0, 0, 0, 0',
      memfd_create: '319, b"x", 0',
      userfaultfd: '323, 0',
      chroot: '161, b"/tmp"',
      clone_new_user: '56, 0x10000011, 0, 0, 0, 0',
    }),
    gives: [none],
  },
  {
    name: 'a program in /tmp',
    code: python('open("/tmp/x", "w").write("#!/usr/bin/python3")\nos.chmod("/tmp/x", 0o4755)\nos.execv("/tmp/x", ["x"])'),
    gives: [/^raised PermissionError/],
  },
  {
    name: 'symlinks in /tmp',
    code: possible(
      "'shadow': lambda: (os.symlink('/etc/shadow', '/tmp/a'), write('/tmp/a')), 'host': lambda: (os.symlink('/proc/1/root/etc/passwd', '/tmp/b'), write('/tmp/b')), " +
        "'up': lambda: (os.symlink('../../../../etc', '/tmp/c'), write('/tmp/c/x'))",
    ),
    gives: [none],
  },
  {
    name: 'kill of the first process',
    code: python('os.kill(1, 9)\nos.kill(1, 1)\nreturn 1'),
    gives: [/^returned 1$/],
  },
  {
    name: 'kill of every process',
    code: python('if args[0] == 0: os.kill(-1, signal.SIGKILL)\nreturn 1'),
    args: ['[0]', '[1]'],
    gives: [/^raised ProcessLookupError/, /^returned 1$/],
  },
  {
    name: 'variables of the agent',
    code: python('return sorted(os.environ)'),
    gives: [/^returned (?!.*(?:SECRET|PROXY|proxy|KEY|TOKEN|AGENT))/],
  },
];

export const attacks: readonly Attack[] = [...exhaustion, ...host, ...cheating];
