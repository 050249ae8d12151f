/** The floors of docs/architecture as rules over source text: what a room may import, and what pure rooms may call. */
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { importsOf, lineOf, scan } from './source-scan.js';

/** Rooms by floor, lowest first. A room imports itself and rooms on lower floors. */
export const floors: readonly (readonly string[])[] = [
  ['base'],
  ['codec'],
  ['domain', 'engines', 'pictures'],
  ['kinds', 'store', 'journal', 'projection', 'home', 'chain', 'provider', 'sandbox', 'archive', 'islands', 'witness'],
  ['app'],
  ['http', 'bus', 'cli', 'console', 'commands'],
];

const outside = ['app', 'codec', 'base'];
/** Rooms whose imports are not simply those of the lower floors. */
const narrowed: Readonly<Record<string, readonly string[]>> = {
  kinds: ['pictures', 'engines', 'codec', 'base'],
  http: ['kinds', ...outside],
  bus: outside,
  cli: ['kinds', 'pictures', ...outside],
  console: ['kinds', 'codec', 'base'],
  commands: ['cli', 'http', ...outside],
};

interface Narrowing {
  readonly from: RegExp;
  /** Beginnings of the paths in src that it may import; `$1` is what `from` found. */
  readonly to: readonly string[];
}
/** What the declarations of every kind import. */
const ofAllKinds = ['kind', 'size', 'fields', 'view-fields'].map((name) => `kinds/${name}.`);
/** Files that may import less than their room: what a verifier shares with its engine, and who sees which part of a kind. */
const parts: readonly Narrowing[] = [
  {
    from: /^src\/kinds\/([^/]+)\/verify\//,
    to: [
      'base/',
      'codec/',
      'engines/engine.',
      'engines/text/',
      'kinds/$1/verify/',
      'kinds/$1/constants.',
      'kinds/$1/work.',
      'kinds/$1/result.',
    ],
  },
  {
    from: /^src\/kinds\/([^/]+)\/engine\//,
    to: ['base/', 'codec/', 'engines/', 'kinds/$1/engine/', 'kinds/$1/constants.', 'kinds/$1/work.', 'kinds/$1/result.'],
  },
  { from: /^src\/kinds\/([^/]+)\/[^/]+$/, to: ['base/', 'codec/', 'engines/', 'pictures/', 'kinds/$1/', ...ofAllKinds] },
  { from: /^src\/engines\/simulation\/(verify)\//, to: ['base/', 'codec/', 'engines/simulation/verify/'] },
];
/** What a room sees of the kinds. */
const seenOfKinds: Readonly<Record<string, RegExp>> = {
  cli: /^pictures\.js$/,
  http: /^request\.js$/,
  console: /^(?:request|works|view-fields|[^/]+\/(?:work|view))\.js$/,
};
const onStore = ['journal', 'projection'];
const lines_max = 250;

export interface SourceFile {
  /** From the package's root, as in `src/base/bytes.ts`. */
  readonly path: string;
  readonly source: string;
}

export interface Report {
  readonly violations: readonly string[];
  /** Room to the rooms that it imports, sorted. */
  readonly table: ReadonlyMap<string, readonly string[]>;
}

const floorOf = (room: string): number => floors.findIndex((rooms) => rooms.includes(room));

/** The room of a file, or undefined for one outside src/ and commands/ or directly in src/. */
function roomOf(path: string): string | undefined {
  const [top, room, rest] = path.split('/');
  if (top === 'commands') return 'commands';
  return top === 'src' && rest !== undefined ? room : undefined;
}

export function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  const list = narrowed[from];
  if (list !== undefined) return list.includes(to);
  if (onStore.includes(from) && to === 'store') return true;
  return floorOf(to) >= 0 && floorOf(to) < floorOf(from);
}

interface Ban {
  readonly pattern: RegExp;
  readonly why: string;
}
const ban = (pattern: RegExp, why: string): Ban => ({ pattern, why });

const everywhere: readonly Ban[] = [ban(/(?<![.\w$])any(?![\w$:(])/g, 'the type any')];
const inSrc: readonly Ban[] = [
  ban(/\bexport\s+default\b/g, 'a default export'),
  ban(/\bexport\s+(?:type\s+)?(?:\*|\{[^}]*\}\s*from\b)/g, 'a re-export'),
];
const pure: readonly Ban[] = [
  ban(/\bDate\s*\.\s*now\b/g, 'the clock'),
  ban(/\bnew\s+Date\s*(?:\(|;|$)/gm, 'the clock'),
  ban(/\bperformance\s*\./g, 'the clock'),
  ban(/\bMath\s*\.\s*random\b/g, 'randomness'),
  ban(/\bcrypto\s*\.|\brandomUUID\b/g, 'randomness'),
  ban(/\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b/g, 'a timer'),
  ban(/\bIntl\s*\.|\btoLocale\w*\s*\(/g, 'the locale'),
  ban(/\bprocess\s*\./g, 'the process'),
];
const exact: readonly Ban[] = [
  ban(/\bMath\b(?!\s*\.\s*(?:abs|min|max|floor|ceil|round|trunc|sign|imul|clz32|fround|sqrt)\b)/g, 'Math that is not exact'),
  ban(/\*\*/g, 'the ** operator, which is not exact'),
  ban(/\.\s*(?:toLowerCase|toUpperCase|localeCompare|normalize)\b/g, 'text rules that follow the Unicode version'),
  ban(/\\p\{/giu, 'text rules that follow the Unicode version'),
];

/** What computes or checks a result; pictures and texts for people are not held to exact math. */
const exactInKinds = /^src\/kinds\/[^/]+\/(?:engine\/|verify\/|constants\.|reference\.|size\.)/;

function bansFor(path: string, room: string): readonly Ban[] {
  const bans = [...everywhere];
  if (room !== 'commands' && !path.endsWith('.d.ts')) bans.push(...inSrc);
  if (['domain', 'engines', 'kinds', 'pictures'].includes(room)) bans.push(...pure);
  if (room === 'engines' || exactInKinds.test(path)) bans.push(...exact);
  return bans;
}

const withoutNode = ['codec', 'domain', 'engines', 'kinds', 'pictures', 'console'];
const isBuiltin = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name.split('/')[0] ?? '');

function mayImportPart(from: string, room: string, to: string): boolean {
  const inSrc = to.slice('src/'.length);
  const seen = seenOfKinds[room];
  if (seen !== undefined && inSrc.startsWith('kinds/') && !seen.test(inSrc.slice('kinds/'.length))) return false;
  return parts.every((part) => {
    const found = part.from.exec(from);
    return found === null || part.to.some((beginning) => inSrc.startsWith(beginning.replace('$1', found[1] ?? '')));
  });
}

/** The room that a specifier leads to, or a complaint about it. */
function target(file: SourceFile, room: string, specifier: string): { readonly room?: string; readonly wrong?: string } {
  if (!specifier.startsWith('.')) {
    return withoutNode.includes(room) && isBuiltin(specifier) ? { wrong: `${room} imports ${specifier}` } : {};
  }
  const path = posix.join(posix.dirname(file.path), specifier);
  const to = roomOf(path);
  if (to === undefined) return { wrong: `imports ${specifier}, outside the rooms` };
  if (!mayImportPart(file.path, room, path)) return { room: to, wrong: `${file.path} imports ${path}` };
  return mayImport(room, to) ? { room: to } : { room: to, wrong: `${room} imports ${to} (${specifier})` };
}

function checkFile(file: SourceFile, room: string, imported: Set<string>): string[] {
  const scanned = scan(file.source);
  const found: string[] = [];
  const say = (line: number, what: string): void => void found.push(`${file.path}:${line}: ${what}`);
  for (const { specifier, line } of importsOf(scanned)) {
    const { room: to, wrong } = target(file, room, specifier);
    if (to !== undefined && to !== room) imported.add(to);
    if (wrong !== undefined) say(line, wrong);
  }
  for (const call of scanned.code.matchAll(/\bimport\s*\((?!\s*['"])/g)) {
    say(lineOf(scanned.code, call.index), 'imports a module whose name is not in the text');
  }
  for (const { pattern, why } of bansFor(file.path, room)) {
    for (const hit of scanned.code.matchAll(pattern)) say(lineOf(scanned.code, hit.index), `${room} uses ${why}`);
  }
  if (room === 'commands' && !/\bexport\s+default\b/.test(scanned.code)) say(1, 'a command without a default export');
  const lines = file.source.split('\n').length - (file.source.endsWith('\n') ? 1 : 0);
  if (lines > lines_max) say(lines, `${lines} lines, at most ${lines_max}`);
  return found;
}

/** Checks the TypeScript sources of src/ and commands/. */
export function checkFloors(files: readonly SourceFile[]): Report {
  const table = new Map<string, Set<string>>();
  const violations = files.flatMap((file) => {
    const room = roomOf(file.path);
    if (room === undefined || floorOf(room) < 0) return [`${file.path}:1: stands in no room of the floors`];
    const imported = table.get(room) ?? new Set<string>();
    table.set(room, imported);
    return checkFile(file, room, imported);
  });
  const byFloor = [...table].sort(([a], [b]) => floorOf(a) - floorOf(b) || (a < b ? -1 : 1));
  return { violations, table: new Map(byFloor.map(([room, rooms]) => [room, [...rooms].sort()])) };
}
