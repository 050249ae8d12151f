/** Candidates that use up what they can: processes, memory, time, output, files. */
import { exited, killed, nothing, python, type Attack } from './attack-kit.js';

export const exhaustion: readonly Attack[] = [
  {
    name: 'fork bomb',
    code: python('while True: os.fork()'),
    ends: ['exited', 'deadline', 'killed'],
    gives: [/^(raised|missing)/],
  },
  {
    name: 'fork bomb that goes on',
    code: python('while True:\n    try: os.fork()\n    except OSError: pass'),
    ends: ['deadline', 'cpu_limit', 'killed'],
    gives: [nothing],
  },
  {
    name: 'thread bomb',
    code: python('import _thread\nwhile True: _thread.start_new_thread(time.sleep, (99,))'),
    ends: exited,
    gives: [/^raised RuntimeError/],
  },
  { name: 'memory hog, heap', code: python('x = []\nwhile True: x.append("x" * 99999)'), ends: killed, gives: [nothing] },
  {
    name: 'memory hog, heap of Node',
    language: 'javascript',
    code: 'const solve = () => { const x = []; for (;;) x.push("x".repeat(9999) + x.length, {}); };',
    ends: ['killed', 'exited', 'cpu_limit'],
    gives: [nothing],
  },
  {
    name: 'memory hog, buffers',
    language: 'javascript',
    code: 'const solve = () => { const x = []; for (;;) x.push(Buffer.alloc(2 ** 23, 1)); };',
    ends: killed,
    gives: [nothing],
  },
  {
    name: 'memory hog, a mapping',
    code: python('import mmap\nm = mmap.mmap(-1, 2 ** 29)\nfor i in range(0, 2 ** 29, 4096): m[i] = 1'),
    ends: killed,
    gives: [nothing],
  },
  { name: 'busy loop', code: python('while True: pass'), ends: ['cpu_limit'], gives: [nothing] },
  {
    name: 'busy loop of Node',
    language: 'javascript',
    code: 'const solve = () => { for (;;) {} };',
    ends: ['cpu_limit'],
    gives: [nothing],
  },
  {
    name: 'busy loop that ignores the signal',
    code: python('signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass'),
    ends: killed,
    gives: [nothing],
  },
  { name: 'sleep past the deadline', code: python('time.sleep(999)'), ends: ['deadline'], gives: [nothing] },
  { name: 'import-time work', code: 'while True: pass\ndef solve(): return 1', ends: ['cpu_limit'], gives: [nothing] },
  { name: 'output flood', code: python('while True: print("x" * 9999)'), ends: ['output_limit', 'cpu_limit'], gives: [nothing] },
  {
    name: 'flood of the channel',
    code: python('while True: os.write(3, b"x" * 65536)'),
    ends: ['output_limit', 'exited'],
    gives: [/^(missing|raised OSError)/],
  },
  {
    name: 'full /tmp',
    code: python('for i in range(99):\n    open(f"/tmp/{i}", "wb").write(bytes(2 ** 20))'),
    ends: exited,
    gives: [/^raised OSError.*28/],
  },
  {
    name: 'a file beyond its limit',
    code: python('f = open("/tmp/x", "wb")\nf.seek(2 ** 24)\nf.write(b"x")\nf.close()'),
    ends: exited,
    gives: [/^raised OSError/],
  },
];
