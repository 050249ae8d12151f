/** The settings of the simulation's server from its environment, all decoded once before anything starts. */
import { invalid } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { api_token_chars_max, cors_origins_max, rate_limit_default, rate_limit_max } from '../../base/simulation-limits.js';
import type { Environment } from './env-file.js';
import { readIslands, type IslandSettings } from './islands.js';

export interface SimulationSettings {
  readonly token: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The largest number of requests per minute from one address; 0 means no limit. */
  readonly rate_limit: number;
  /** The origins of pages that may read the responses; `*` means any, and never includes credentials. */
  readonly origins: '*' | readonly string[];
  readonly islands: IslandSettings;
}

const portRule: IntegerRule = { name: 'PORT', fallback: 8_000, max: 65_535, zero: 'any free port' };
/** The placeholders for the token in examples and templates. */
const placeholders = new Set(['changeme', 'replace_me_token']);

const refused = (name: string, message: string): RefusalError => new RefusalError(invalid(name, message));

/** Returns the settings; null if API_TOKEN is not set, which disables the simulation. @throws RefusalError `invalid` */
export function simulationSettings(env: Environment): SimulationSettings | null {
  if (env['API_TOKEN'] === undefined) return null;
  const token = tokenOf(env['API_TOKEN']);
  const port = integerOf(env['PORT'], portRule);
  const limit = { name: 'API_RATE_LIMIT', fallback: rate_limit_default, max: rate_limit_max, zero: 'no limit' };
  const rate_limit = integerOf(env['API_RATE_LIMIT'], limit);
  const origins = originsOf(env['API_CORS_ORIGINS']);
  const islands = readIslands(env['AGI_ISLAND_BACKENDS']);
  return { token, port, rate_limit, origins, islands };
}

/** Returns the settings of a server that must serve the simulation. @throws RefusalError `invalid`, also without a token */
export function requiredSettings(env: Environment): SimulationSettings {
  const settings = simulationSettings(env);
  if (settings !== null) return settings;
  throw refused('API_TOKEN', "must be set: it is the token that the simulation's clients send");
}

/** Returns the settings with the port of the flag, which takes precedence over the variable. */
export const withPort = (settings: SimulationSettings, flag: string | undefined): SimulationSettings =>
  flag === undefined ? settings : { ...settings, port: integerOf(flag, { ...portRule, name: 'port', fallback: null }) };

function tokenOf(text: string): string {
  if (text.trim() === '') throw refused('API_TOKEN', 'is empty; set it to a secret of your own, or unset it');
  if (placeholders.has(text.trim().toLowerCase()))
    throw refused('API_TOKEN', 'is a placeholder; set it to a secret of your own, as of openssl rand -hex 32');
  if (text.length > api_token_chars_max) throw refused('API_TOKEN', `has more than ${api_token_chars_max} characters`);
  // The characters that a header field can carry (RFC 9110, section 5.5) and that every client sends unchanged.
  if (!/^[!-~]+$/.test(text)) throw refused('API_TOKEN', 'may hold visible ASCII characters only, and no blanks');
  return text;
}

interface IntegerRule {
  readonly name: string;
  /** The value for a missing or empty text; null if such a text is refused. */
  readonly fallback: number | null;
  readonly max: number;
  /** The meaning of 0. */
  readonly zero: string;
}

function integerOf(text: string | undefined, { name, fallback, max, zero }: IntegerRule): number {
  if ((text === undefined || text === '') && fallback !== null) return fallback;
  const value = /^[0-9]{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw refused(name, `must be an integer from 0 to ${max}; 0 is ${zero}`);
}

function originsOf(text: string | undefined): '*' | readonly string[] {
  const names = (text ?? '*')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.includes('*')) {
    if (names.length === 1) return '*';
    throw refused('API_CORS_ORIGINS', 'names origins beside *, which is all of them');
  }
  if (names.length > cors_origins_max) throw refused('API_CORS_ORIGINS', `names more than ${cors_origins_max} origins`);
  // A browser sends an origin in exactly one spelling (RFC 6454, section 6.2); another spelling would never match.
  const wrong = names.find((name) => name !== 'null' && (!URL.canParse(name) || new URL(name).origin !== name));
  if (wrong === undefined) return names;
  throw refused('API_CORS_ORIGINS', 'must be *, or origins as in https://a.example, without a path, separated by commas');
}
