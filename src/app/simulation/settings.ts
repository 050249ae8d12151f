/** What the simulation's server is told by its environment: decoded once, whole, before anything starts. */
import * as E from 'fp-ts/lib/Either.js';
import { invalid, type Refusal } from '../../base/refusal.js';
import { ok, type Result } from '../../base/result.js';
import { api_token_chars_max, cors_origins_max, rate_limit_default, rate_limit_max } from '../../base/simulation-limits.js';
import type { Environment } from './env-file.js';
import { readIslands, type IslandSettings } from './islands.js';

export interface SimulationSettings {
  readonly token: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Requests of one address in a minute; 0 is no limit. */
  readonly rate_limit: number;
  /** Origins of pages that may read the answers; `*` is any, which never includes credentials. */
  readonly origins: '*' | readonly string[];
  readonly islands: IslandSettings;
}

const portRule: IntegerRule = { name: 'PORT', fallback: 8_000, max: 65_535, zero: 'any free port' };
/** What examples and templates have in its place. */
const placeholders = new Set(['changeme', 'replace_me_token']);

const refused = (name: string, message: string): Result<never> => E.left(invalid(name, message));

/** The settings; null where API_TOKEN is not set, which means that no simulation is wanted. */
export function simulationSettings(env: Environment): Result<SimulationSettings | null> {
  if (env['API_TOKEN'] === undefined) return ok(null);
  const token = tokenOf(env['API_TOKEN']);
  if (E.isLeft(token)) return token;
  const port = integerOf(env['PORT'], portRule);
  if (E.isLeft(port)) return port;
  const limit = { name: 'API_RATE_LIMIT', fallback: rate_limit_default, max: rate_limit_max, zero: 'no limit' };
  const rate_limit = integerOf(env['API_RATE_LIMIT'], limit);
  if (E.isLeft(rate_limit)) return rate_limit;
  const origins = originsOf(env['API_CORS_ORIGINS']);
  if (E.isLeft(origins)) return origins;
  const islands = readIslands(env['AGI_ISLAND_BACKENDS']);
  if (E.isLeft(islands)) return islands;
  return ok({
    token: token.right,
    port: port.right,
    rate_limit: rate_limit.right,
    origins: origins.right,
    islands: islands.right,
  });
}

/** Where the simulation must be served, so that its token must be there. */
export const requiredSettings = (env: Environment): Result<SimulationSettings> =>
  E.chain(
    (settings: SimulationSettings | null): Result<SimulationSettings> => (settings === null ? E.left(unset) : ok(settings)),
  )(simulationSettings(env));

/** A flag wins over its variable. */
export const withPort = (settings: SimulationSettings, flag: string | undefined): Result<SimulationSettings> =>
  flag === undefined
    ? ok(settings)
    : E.map((port: number) => ({ ...settings, port }))(integerOf(flag, { ...portRule, name: 'port', fallback: null }));

const unset: Refusal = invalid('API_TOKEN', "must be set: it is the token that the simulation's clients send");

function tokenOf(text: string): Result<string> {
  if (text.trim() === '') return refused('API_TOKEN', 'is empty; set it to a secret of your own, or unset it');
  if (placeholders.has(text.trim().toLowerCase()))
    return refused('API_TOKEN', 'is a placeholder; set it to a secret of your own, as of openssl rand -hex 32');
  if (text.length > api_token_chars_max) return refused('API_TOKEN', `has more than ${api_token_chars_max} characters`);
  // What a header field can carry (RFC 9110, section 5.5) and a client is sure to send as it stands.
  if (!/^[!-~]+$/.test(text)) return refused('API_TOKEN', 'may hold visible ASCII characters only, and no blanks');
  return ok(text);
}

interface IntegerRule {
  readonly name: string;
  /** Without a text, or with an empty one; null where that is refused too. */
  readonly fallback: number | null;
  readonly max: number;
  /** What 0 means. */
  readonly zero: string;
}

function integerOf(text: string | undefined, { name, fallback, max, zero }: IntegerRule): Result<number> {
  if ((text === undefined || text === '') && fallback !== null) return ok(fallback);
  const value = /^[0-9]{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return value <= max ? ok(value) : refused(name, `must be an integer from 0 to ${max}; 0 is ${zero}`);
}

function originsOf(text: string | undefined): Result<'*' | readonly string[]> {
  const names = (text ?? '*')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.includes('*')) {
    return names.length === 1 ? ok('*') : refused('API_CORS_ORIGINS', 'names origins beside *, which is all of them');
  }
  if (names.length > cors_origins_max) return refused('API_CORS_ORIGINS', `names more than ${cors_origins_max} origins`);
  // A browser sends an origin in exactly one spelling (RFC 6454, section 6.2): another one would never be met.
  const wrong = names.find((name) => name !== 'null' && (!URL.canParse(name) || new URL(name).origin !== name));
  if (wrong === undefined) return ok(names);
  return refused('API_CORS_ORIGINS', 'must be *, or origins as in https://a.example, without a path, separated by commas');
}
