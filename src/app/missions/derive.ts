/** The request of a mission that is made by changing the one of another mission. */
import { invalid } from '../../base/refusal.js';
import { RefusalError, unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import { missionRequest, type MissionRequest } from '../../kinds/request.js';
import type { Db } from '../../store/database.js';
import { requireMission, requireRequest } from './record.js';

/** A member of a request, such as `work.items[3].cost`, and its new value; null takes it out. */
export type Setting = readonly [path: string, value: unknown];

/** Returns the request of a mission with other values. A path that names no member of the request itself is one of its work. */
export function changedRequest(db: Db, id: string, settings: readonly Setting[]): MissionRequest {
  const request: unknown = structuredClone(requireRequest(db, requireMission(db, id)));
  for (const [path, value] of settings) set(request as Record<string, unknown>, path, value);
  return unwrap(decode(missionRequest, request));
}

function set(request: Record<string, unknown>, path: string, value: unknown): void {
  const named = path.replaceAll(/\[([0-9]+)\]/g, '.$1').split('.');
  const names = Object.hasOwn(missionRequest.fields, named[0] ?? '') ? named : ['work', ...named];
  const last = names.pop() ?? '';
  let at: unknown = request;
  for (const name of names) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  if (!isObject(at) || (Array.isArray(at) && !Object.hasOwn(at, last)))
    throw new RefusalError(invalid('--set', `the request has no ${path}`));
  if (value === null) delete at[last];
  else Object.defineProperty(at, last, { value, writable: true, enumerable: true, configurable: true });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
