/** The settings of the simulation's server from its environment, all decoded once before anything starts. */
import { api_token_chars_max, cors_origins_max, rate_limit_default, rate_limit_max } from '../../base/simulation-limits.js';
import { integerSetting, refusedSetting as refused, tokenSetting, type IntegerRule } from '../home/setting.js';
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

/** Returns the settings; null if API_TOKEN is not set, which disables the simulation. @throws RefusalError `invalid` */
export function simulationSettings(env: Environment): SimulationSettings | null {
  if (env['API_TOKEN'] === undefined) return null;
  const token = tokenSetting('API_TOKEN', env['API_TOKEN'], api_token_chars_max);
  const port = integerSetting(env['PORT'], portRule);
  const limit = { name: 'API_RATE_LIMIT', fallback: rate_limit_default, max: rate_limit_max, zero: 'no limit' };
  const rate_limit = integerSetting(env['API_RATE_LIMIT'], limit);
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
  flag === undefined ? settings : { ...settings, port: integerSetting(flag, { ...portRule, name: 'port', fallback: null }) };

function originsOf(text: string | undefined): '*' | readonly string[] {
  const names = (text ?? '*')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
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
