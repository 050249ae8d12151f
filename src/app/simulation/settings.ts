/** The settings of the simulation's server from its environment, all decoded once before anything starts. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { BlockList, isIP } from 'node:net';
import { fromUtf8 } from '../../base/text.js';
import { RefusalError } from '../../base/refusal.js';
import { readInput } from '../../home/files.js';
import { type IntegerRule, integerSetting, listSetting, refusedSetting as refused, tokenSetting } from '../../base/setting.js';
import { type IslandSettings, readIslands } from './islands/settings.js';

const api_token_chars_max = 1_024;
/** Requests of one address in a window when API_RATE_LIMIT is not set; 0 means no limit. */
const rate_limit_default = 60;
const rate_limit_max = 1_000_000;
/** Number of origins in API_CORS_ORIGINS. */
const cors_origins_max = 100;
/** Size of `.env` in the working directory. */
const env_file_bytes_max = 65_536;

export interface SimulationSettings {
  readonly token: string;
  /** Whether the named tokens of the home are accepted too; absent means false. */
  readonly home_tokens?: boolean;
  /** 0 takes any free port. */
  readonly port: number;
  /** The largest number of requests per minute from one address; 0 means no limit. */
  readonly rate_limit: number;
  /** The origins of pages that may read the responses; `*` means any, and never includes credentials. */
  readonly origins: '*' | readonly string[];
  readonly islands: IslandSettings;
  /** Proxies in front of the server; absent and null mean none. */
  readonly proxies?: TrustedProxies | null;
}

const portRule: IntegerRule = { name: 'PORT', fallback: 8_000, max: 65_535, zero: 'any free port' };

/** @throws RefusalError `invalid` */
export const portOf = (env: Environment): number => integerSetting(env['PORT'], portRule);

/** Returns the settings; null if API_TOKEN is not set, which disables the simulation. @throws RefusalError `invalid` */
export function simulationSettings(env: Environment): SimulationSettings | null {
  if (env['API_TOKEN'] === undefined) return null;
  const token = tokenSetting('API_TOKEN', env['API_TOKEN'], api_token_chars_max);
  const port = portOf(env);
  const limit = { name: 'API_RATE_LIMIT', fallback: rate_limit_default, max: rate_limit_max, zero: 'no limit' };
  const rate_limit = integerSetting(env['API_RATE_LIMIT'], limit);
  const origins = originsOf(env['API_CORS_ORIGINS']);
  const islands = readIslands(env['AGI_ISLAND_BACKENDS']);
  const proxies = readTrustedProxies(env['API_TRUSTED_PROXIES']);
  const home_tokens = integerSetting(env['API_HOME_TOKENS'], { name: 'API_HOME_TOKENS', fallback: 0, max: 1, zero: 'no' }) === 1;
  return { token, home_tokens, port, rate_limit, origins, islands, proxies };
}

/** Returns the settings of a server that must serve the simulation. @throws RefusalError `invalid`, also without a token */
export function requiredSettings(env: Environment): SimulationSettings {
  const settings = simulationSettings(env);
  if (settings !== null) return settings;
  throw refused('API_TOKEN', "must be set: it is the token that the simulation's clients send");
}

/** Returns the settings with the port of the flag, which takes precedence over the variable. */
export const withPort = (settings: SimulationSettings, flag: string | undefined): SimulationSettings =>
  flag === undefined ? settings : { ...settings, port: integerSetting(flag, { ...portRule, name: 'port', fallback: null }) };

function originsOf(text: string | undefined): '*' | readonly string[] {
  const names = listSetting(text ?? '*');
  if (names.includes('*')) {
    if (names.length === 1) return '*';
    throw refused('API_CORS_ORIGINS', 'names other origins besides *, which allows all');
  }
  if (names.length > cors_origins_max) throw refused('API_CORS_ORIGINS', `names more than ${cors_origins_max} origins`);
  // A browser sends an origin in exactly one spelling (RFC 6454, section 6.2); another spelling would never match.
  const wrong = names.find((name) => name !== 'null' && (!URL.canParse(name) || new URL(name).origin !== name));
  if (wrong === undefined) return names;
  throw refused('API_CORS_ORIGINS', 'must be *, or origins as in https://a.example, without a path, separated by commas');
}

export type Environment = Readonly<Record<string, string | undefined>>;

const own = /^(?:PORT|ALERT_WEBHOOK_URL|(?:API|SANDBOX|AGI)_[A-Z0-9_]+)$/;

/**
 * Returns the environment with the additions of `.env` in the working directory. It takes only the server's own variables, and the real
 * environment takes precedence. An unreadable line aborts the start, because a setting that is silently lost (a limit, a token) would be
 * worse.
 * @throws RefusalError with file and line for an unreadable line
 */
export function simulationEnvironment(env: Environment, directory: string): Environment {
  const file = path.join(directory, '.env');
  const text = readText(file);
  if (text === null) return env;
  const read = parseEnvFile(text);
  if ('line' in read) {
    const { line, message } = read;
    const detail = `${file}, line ${line}: ${message}`;
    throw new RefusalError('invalid', detail, { errors: [{ path: `.env:${line}`, message }] });
  }
  const added = [...read].filter(([name]) => own.test(name) && env[name] === undefined);
  return { ...env, ...Object.fromEntries(added) };
}

/** Returns the file's text; null if there is no file. A dangling link counts as an unreadable file. */
function readText(file: string): string | null {
  const found = lookAt(file);
  if (found === undefined) return null;
  // In a directory for all, such as /tmp, somebody else could otherwise choose the token of this server.
  const trusted = [process.getuid?.(), 0, fs.statSync(path.dirname(file)).uid];
  if (!trusted.includes(found.uid))
    throw new RefusalError('forbidden', `${file} belongs to another user; start in another directory`);
  const text = fromUtf8(readInput(file, env_file_bytes_max));
  if (text !== null) return text.replace(/^\uFEFF/, '');
  throw new RefusalError('malformed', `${file} is not valid UTF-8`);
}

function lookAt(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch {
    // The directory is not accessible to this user.
    return undefined;
  }
}

// Only CR and LF end a line: without the flag s, a dot would also stop at U+2028.
const assignment = /^(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(.*)$/s;
const comment = /(?:^|[ \t]+)#.*$/s;
const closed = /^[ \t]*(?:#.*)?$/s;

/**
 * Parses `NAME=value` lines. Blank lines and lines that start with # are skipped, and `export` may precede a name. A value is
 * bare (up to ` #`) or quoted with ', " or `; a quoted value may span several lines. Within " the escapes \n, \r and \t have
 * their usual meaning. If a name occurs more than once, its last value counts.
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> | ReturnType<typeof fault> {
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
    if (!closed.test(quoted.slice(end + 1))) return fault(i, 'there is text after the closing quote');
    values.set(name, quote === '"' ? unescaped(quoted.slice(0, end)) : quoted.slice(0, end));
  }
  return values;
}

const fault = (at: number, message: string) => ({ line: at + 1, message });

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const unescaped = (text: string): string => text.replaceAll(/\\([nrt])/g, (_, letter: string) => escapes[letter] ?? letter);

// API_TRUSTED_PROXIES: the proxies whose X-Forwarded-For says which client sent a request.

/** Addresses and networks in API_TRUSTED_PROXIES. */
const trusted_proxies_max = 100;

const bits = { 4: 32, 6: 128 } as const;
const families = { 4: 'ipv4', 6: 'ipv6' } as const;

const versionOf = (address: string): 4 | 6 | null => {
  const version = isIP(address);
  return version === 4 || version === 6 ? version : null;
};

/** A set of addresses, in which an IPv4 address is the same when it is mapped into IPv6. */
export class TrustedProxies {
  private readonly list = new BlockList();

  /** @throws RefusalError `invalid` for a text that is neither an address nor a network such as 10.0.0.0/8 */
  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const [address = '', prefix, ...more] = text.split('/');
      const version = versionOf(address);
      const length = prefix === undefined ? null : /^(?:0|[1-9][0-9]{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN;
      if (version === null || more.length > 0 || (length !== null && !(length <= bits[version])))
        throw refused('API_TRUSTED_PROXIES', 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas');
      this.list.addSubnet(address, length ?? bits[version], families[version]);
    }
  }

  /**
   * Returns the address for which a request counts: that of the connection, or, where that is a trusted proxy, the last address of X-Forwarded-For
   * that is not one. What stands before it may be forged by the client and is not read. A trusted proxy that names nobody counts as the client itself.
   */
  clientOf(peer: string, forwarded: readonly string[]): string {
    const hops = forwarded.flatMap((value) => value.split(','));
    let client = peer;
    while (this.has(client)) {
      const next = addressOf(hops.pop()?.trim() ?? '');
      if (versionOf(next) === null) break;
      client = next;
    }
    return client;
  }

  has(address: string): boolean {
    const version = versionOf(address);
    return version !== null && this.list.check(address, families[version]);
  }
}

/** Returns the address of a hop, which some proxies write with a port. */
const addressOf = (hop: string): string => /^\[(.*)\](?::[0-9]+)?$/.exec(hop)?.[1] ?? /^([0-9.]+):[0-9]+$/.exec(hop)?.[1] ?? hop;

/** Returns the proxies that the variable's text names; null without any. @throws RefusalError `invalid` */
export function readTrustedProxies(text: string | undefined): TrustedProxies | null {
  const texts = listSetting(text);
  if (texts.length > trusted_proxies_max) throw refused('API_TRUSTED_PROXIES', `names more than ${trusted_proxies_max} proxies`);
  return texts.length === 0 ? null : new TrustedProxies(texts);
}
