/** Reading scenario files; test/scenario/README.md says what the lines mean. */

export interface Step {
  /** 1-based line of the command in its file. */
  readonly line: number;
  readonly command: string;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly exit: number;
  readonly captures: readonly { readonly name: string; readonly path: string }[];
  readonly values: readonly { readonly path: string; readonly expected: string }[];
}

export interface Scenario {
  readonly steps: readonly Step[];
  readonly files: ReadonlyMap<string, string>;
}

type Draft = { -readonly [K in keyof Step]: Step[K] extends readonly (infer A)[] ? A[] : Step[K] };

const forms = {
  exit: /^\[exit (\d+)\]$/,
  set: /^set ([A-Z_]+) = (\..+)$/,
  json: /^json (\.\S*) = (.+)$/,
  file: /^-- (.+) --$/,
};

/** @throws Error on a line that belongs to no command. */
export function readScenario(text: string): Scenario {
  const lines = text.split('\n');
  const filesAt = lines.findIndex((line) => forms.file.test(line));
  const script = filesAt < 0 ? lines : lines.slice(0, filesAt);
  return { steps: readSteps(script), files: filesAt < 0 ? new Map() : readFiles(lines.slice(filesAt)) };
}

function readSteps(lines: readonly string[]): Step[] {
  const steps: Draft[] = [];
  lines.forEach((text, i) => {
    const remark = text.startsWith('#') && (steps.length === 0 || lines[i - 1] === '' || lines[i - 1]?.startsWith('#') === true);
    if (text.trim() === '' || remark) return;
    if (text.startsWith('$ ')) {
      steps.push({ line: i + 1, command: text.slice(2), stdout: [], stderr: [], exit: 0, captures: [], values: [] });
      return;
    }
    const step = steps.at(-1);
    if (step === undefined) throw new Error(`line ${i + 1} is before the first command: ${text}`);
    addLine(step, text);
  });
  return steps;
}

function addLine(step: Draft, text: string): void {
  const [, exit] = forms.exit.exec(text) ?? [];
  const [, name, from] = forms.set.exec(text) ?? [];
  const [, path, expected] = forms.json.exec(text) ?? [];
  if (text.startsWith('> ')) step.command += `\n${text.slice(2)}`;
  else if (exit !== undefined) step.exit = Number(exit);
  else if (name !== undefined && from !== undefined) step.captures.push({ name, path: from });
  else if (path !== undefined && expected !== undefined) step.values.push({ path, expected });
  else if (text.startsWith('2> ')) step.stderr.push(text.slice(3));
  else step.stdout.push(text);
}

function readFiles(lines: readonly string[]): Map<string, string> {
  const files = new Map<string, string>();
  let name = '';
  for (const line of lines) {
    const next = forms.file.exec(line)?.[1];
    if (next === undefined) files.set(name, `${files.get(name) ?? ''}${line}\n`);
    else name = next;
  }
  return files;
}

/** The value at `.items[0].id`; undefined where there is none. `.` is the document. */
export function valueAt(document: unknown, path: string): unknown {
  const keys = [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map((found) => found[1] ?? found[2] ?? '');
  let value = document;
  for (const key of keys) {
    if (typeof value === 'string' && key === 'length') value = value.length;
    else value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

const placeholders: Readonly<Record<string, string>> = {
  UUID: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  HASH: '[0-9a-f]{64}',
  HEX: '[0-9a-f]+',
  TIME: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z',
  N: '-?\\d+(?:\\.\\d+)?',
  BASE64: '[A-Za-z0-9+/]+=*',
  ANY: '.*?',
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A line with placeholders, as an expression for a whole line. */
export function linePattern(line: string, variables: Readonly<Record<string, string>>): RegExp {
  const parts = line.split(/(\[[A-Z0-9]+\]|\$[A-Z_]+)/).map((part) => {
    const word = part.slice(1);
    if (part.startsWith('$') && variables[word] !== undefined) return escaped(variables[word]);
    const name = /^\[([A-Z0-9]+)\]$/.exec(part)?.[1] ?? '';
    if (name === 'DIR') return escaped(variables['DIR'] ?? '');
    return placeholders[name] ?? escaped(part);
  });
  return new RegExp(`^${parts.join('')}$`, 'u');
}

/** Why the printed lines are not the expected ones, or null; `...` stands for any number of lines. */
export function differs(
  printed: string,
  expected: readonly string[],
  variables: Readonly<Record<string, string>>,
): string | null {
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  let at = 0;
  let open = false;
  for (const line of expected) {
    if (line === '...') {
      open = true;
      continue;
    }
    const pattern = linePattern(line, variables);
    const found = open ? lines.findIndex((text, i) => i >= at && pattern.test(text)) : at;
    if (!pattern.test(lines[found] ?? ''))
      return `expected ${open ? 'somewhere ' : ''}"${line}", found "${lines[at] ?? 'nothing'}"`;
    at = found + 1;
    open = false;
  }
  return at < lines.length && !open ? `nothing more was expected, found "${lines[at] ?? ''}"` : null;
}
