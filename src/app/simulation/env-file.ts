/**
 * `.env` of the working directory, for the simulation's server: only the names that are its own are taken, and the real environment
 * wins. A line that cannot be read stops the start, because a setting that is silently lost (a limit, a token) is worse.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { fromUtf8 } from '../../base/bytes.js';
import { RefusalError } from '../../base/result.js';
import { env_file_bytes_max } from '../../base/simulation-limits.js';
import { readInput } from '../../home/files.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const own = /^(?:PORT|ALERT_WEBHOOK_URL|(?:API|SANDBOX|AGI)_[A-Z0-9_]+)$/;

/** The environment with what `.env` adds to it. @throws RefusalError with file and line for one that cannot be read */
export function simulationEnvironment(env: Environment, directory: string): Environment {
  const file = path.join(directory, '.env');
  const text = readText(file);
  if (text === null) return env;
  const read = parseEnvFile(text);
  if ('line' in read) {
    const { line, message } = read;
    const detail = `${file}, line ${line}: ${message}`;
    throw new RefusalError({ code: 'invalid', detail, errors: [{ path: `.env:${line}`, message }] });
  }
  const added = [...read].filter(([name]) => own.test(name) && env[name] === undefined);
  return { ...env, ...Object.fromEntries(added) };
}

/** Null where there is none. A link that leads nowhere is one that cannot be read. */
function readText(file: string): string | null {
  if (!fs.existsSync(file) && !isLink(file)) return null;
  const text = fromUtf8(readInput(file, env_file_bytes_max));
  if (text !== null) return text.replace(/^\uFEFF/, '');
  throw new RefusalError({ code: 'malformed', detail: `${file} is not valid UTF-8` });
}

function isLink(file: string): boolean {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch {
    // None, or in a directory that this user may not look into.
    return false;
  }
}

export interface LineFault {
  readonly line: number;
  readonly message: string;
}

// A line ends at CR or LF alone: without the flag s a dot would end at U+2028 as well.
const assignment = /^(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(.*)$/s;
const comment = /(?:^|[ \t]+)#.*$/s;
const closed = /^[ \t]*(?:#.*)?$/s;

/**
 * `NAME=value` lines: blank lines and those that begin with # count nothing, `export` may stand before a name. A value is bare (up to
 * ` #`), or quoted by ', " or `, then also over several lines; within " \n, \r and \t mean what they do elsewhere. The last of two counts.
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> | LineFault {
  const lines = text.split(/\r\n|\n|\r/);
  const values = new Map<string, string>();
  for (let i = 0; i < lines.length; i++) {
    const first = i;
    const line = (lines[i] ?? '').trimStart();
    if (line === '' || line.startsWith('#')) continue;
    const [, name, rest] = assignment.exec(line) ?? [];
    if (name === undefined || rest === undefined) return fault(first, 'is not NAME=value');
    const quote = /^['"`]/.exec(rest)?.[0];
    if (quote === undefined) {
      values.set(name, rest.replace(comment, '').trimEnd());
      continue;
    }
    let quoted = rest.slice(1);
    while (!quoted.includes(quote)) {
      i++;
      if (i >= lines.length) return fault(first, `the quote ${quote} is not closed`);
      quoted += `\n${lines[i] ?? ''}`;
    }
    const end = quoted.indexOf(quote);
    if (!closed.test(quoted.slice(end + 1))) return fault(i, 'there is text behind the closing quote');
    values.set(name, quote === '"' ? unescaped(quoted.slice(0, end)) : quoted.slice(0, end));
  }
  return values;
}

const fault = (at: number, message: string): LineFault => ({ line: at + 1, message });

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const unescaped = (text: string): string => text.replaceAll(/\\([nrt])/g, (_, letter: string) => escapes[letter] ?? letter);
