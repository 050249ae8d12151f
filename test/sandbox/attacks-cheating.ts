/** Candidates that try to be judged wrongly. */
import { exited, nothing, python, type Attack } from './attack-kit.js';

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

export const cheating: readonly Attack[] = [
  { name: 'reading the expected values', code: search, ends: exited, gives: [/^returned 0$/] },
  {
    name: 'reading the arguments of other cases (control)',
    code: search,
    args: ['[]', `["EXPECTED-${'0123456789abcdef'.repeat(2)}"]`],
    ends: exited,
    gives: [/^returned [1-9]/, /^returned [1-9]/],
  },
  {
    name: 'a frame of its own',
    code: python(`${frame('0 returned\\n"guess"')}\n${frame('1 returned\\n"guess"')}\nreturn "right"`),
    args: ['[]', '[]'],
    ends: exited,
    gives: [/^returned "guess"$/, /^returned "guess"$/],
  },
  {
    name: 'a frame that is no frame',
    code: python("os.write(3, b'\\xff\\xff\\xff\\xff')\nreturn 1"),
    args: ['[]', '[]'],
    ends: exited,
    gives: [nothing, nothing],
  },
  {
    name: 'exit before the last case',
    code: python('if args[0] == 2: os._exit(0)\nreturn args[0]'),
    args: ['[1]', '[2]', '[3]'],
    ends: exited,
    gives: [/^returned 1$/, nothing, nothing],
  },
  {
    name: 'exit of Node before the last case',
    language: 'javascript',
    code: 'const solve = (n) => (n === 2 ? process.exit(0) : n);',
    args: ['[1]', '[2]', '[3]'],
    ends: exited,
    gives: [/^returned 1$/, nothing, nothing],
  },
  { name: 'exit 125, as the engine', code: python('os._exit(125)'), ends: exited, gives: [nothing] },
  {
    name: 'mutated arguments',
    code: 'kept = []\ndef solve(a):\n    kept.append(a)\n    for one in kept: one.append(9)\n    return len(a)',
    args: ['[[1]]', '[[1]]', '[[1]]'],
    ends: exited,
    gives: [/^returned 2$/, /^returned 2$/, /^returned 2$/],
  },
  { name: 'a huge output', code: python('return "x" * 10 ** 7'), ends: exited, gives: [/^too_large/] },
  {
    name: 'a deep output',
    code: python('x = []\nfor _ in range(10 ** 5): x = [x]\nreturn x'),
    ends: exited,
    gives: [/^invalid/],
  },
  { name: 'an output that contains itself', code: python('x = []\nx.append(x)\nreturn x'), ends: exited, gives: [/^invalid/] },
  {
    name: 'outputs that are no JSON',
    code: python('return [{1}, b"x", solve, {1: 2}, "\\ud800", 1j][args[0]]'),
    args: ['[0]', '[1]', '[2]', '[3]', '[4]', '[5]'],
    ends: exited,
    gives: Array.from({ length: 6 }, () => /^invalid/),
  },
  {
    name: 'outputs of Node that are no JSON',
    language: 'javascript',
    code: 'const solve = (n) => [undefined, () => 1, new Map(), 1n, [,], NaN, "\\ud800", new Date(0)][n];',
    args: ['[0]', '[1]', '[2]', '[3]', '[4]', '[5]', '[6]', '[7]'],
    ends: exited,
    gives: Array.from({ length: 8 }, () => /^invalid/),
  },
  {
    name: 'NaN and infinity',
    code: python('return [float("nan"), float("inf"), [-float("inf")]][args[0]]'),
    args: ['[0]', '[1]', '[2]'],
    ends: exited,
    gives: [/^invalid/, /^invalid/, /^invalid/],
  },
  { name: '1 against 1.0', code: python('return [1, 1.0, True]'), ends: exited, gives: [/^returned \[1,1\.0,true\]$/] },
];
