/** Missions: queue, list, show, recover, cancel, erase. Execution and review have files of their own. */
import { randomUUID } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../base/canonical-json.js';
import { sha256Hex } from '../base/hash.js';
import { parseJsonBytes } from '../base/json-parse.js';
import {
  inline_value_bytes_max,
  mission_file_bytes_max,
  page_items_default,
  page_items_max,
  result_bytes_max,
} from '../base/limits.js';
import { invalid } from '../base/refusal.js';
import { ok, type Result } from '../base/result.js';
import { formatTime } from '../base/time.js';
import { decode } from '../codec/kit.js';
import { missionRequest, type Kind, type MissionRequest } from '../codec/mission.js';
import type { Mission, MissionState } from '../codec/record.js';
import { decideCancel, decideErase, decideRecover, decideSubmit, type Circumstances } from '../domain/mission-decide.js';
import type { MissionEvent } from '../domain/mission.js';
import { readInput } from '../home/files.js';
import { readEntry } from '../journal/reader.js';
import type { Transaction } from '../journal/writer.js';
import { readControl } from '../projection/control.js';
import { listMissions, readMission, type MissionItem } from '../projection/missions.js';
import { engineOf, idsHash } from './engines.js';
import type { Home } from './home.js';
import { isUuid, missionRecord, requireMission, type MissionRecord } from './mission-store.js';

export const circumstances = (tx: Transaction, actor: string): Circumstances => ({
  control: readControl(tx.db),
  now: formatTime(tx.now),
  actor,
});

/** Records a decision's events on a mission's stream and answers the mission as it then is. */
export function record(tx: Transaction, id: string, events: Result<readonly MissionEvent[]>): Result<Mission> {
  if (E.isLeft(events)) return events;
  for (const event of events.right) tx.append(id, event);
  return ok(requireMission(tx.db, id));
}

export interface Submission {
  readonly request: MissionRequest;
  /** Canonical JSON of the request with its defaults. */
  readonly text: string;
}

/** Decodes a mission file or body. Refuses one whose result could not fit an export. */
export function readSubmission(bytes: Uint8Array): Result<Submission> {
  if (bytes.length > mission_file_bytes_max)
    return E.left({ code: 'too_large', detail: `a mission has at most ${mission_file_bytes_max} bytes` });
  const request = E.chain((json: unknown) => decode(missionRequest, json))(parseJsonBytes(bytes));
  if (E.isLeft(request)) return request;
  const text = canonicalJson(request.right);
  if (Buffer.byteLength(text) > mission_file_bytes_max) {
    return E.left({
      code: 'too_large',
      detail: `with its defaults filled in, the mission has more than ${mission_file_bytes_max} bytes`,
    });
  }
  const bound = engineOf(request.right.work.kind)?.resultBytesBound(request.right.work) ?? 0;
  if (bound > result_bytes_max) {
    return E.left(
      invalid(
        'work',
        `its result could have ${bound} bytes, at most ${result_bytes_max} are allowed; shorten ids or split the mission`,
      ),
    );
  }
  return ok({ request: request.right, text });
}

export interface RunOptions {
  readonly file: string;
  readonly requestId?: string | undefined;
  readonly actor: string;
}

/** Queues a mission; the same request id with the same input answers the mission that is there. */
export function queueMission(home: Home, { file, requestId, actor }: RunOptions): Result<MissionRecord> {
  const id = requestId ?? randomUUID();
  if (!isUuid(id)) return E.left(invalid('request-id', 'must be a UUID in lower case'));
  const submission = readSubmission(readInput(file, mission_file_bytes_max));
  if (E.isLeft(submission)) return submission;
  return E.map((mission: Mission) => missionRecord(home.db, mission))(
    home.writer.transact((tx) => submit(tx, id, submission.right, actor)),
  );
}

/** The request stands in the event, or in a blob when it is large or holds source texts, which may have to be erased. */
function submit(tx: Transaction, id: string, { request, text }: Submission, actor: string): Result<Mission> {
  const existing = readMission(tx.db, id);
  const apart = existing === null && (request.work.kind === 'research' || Buffer.byteLength(text) > inline_value_bytes_max);
  const ids_hash = idsHash(request.work);
  const document = {
    kind: request.work.kind,
    goal: request.goal,
    request_hash: sha256Hex(text),
    ...(apart ? { request_blob: tx.putBlob(Buffer.from(text)) } : { request: { ...request } }),
    ...(ids_hash === null ? {} : { ids_hash }),
    actor,
  };
  return record(tx, id, decideSubmit(existing, document));
}

export interface ListOptions {
  readonly state?: MissionState | undefined;
  readonly kind?: Kind | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface MissionPage {
  readonly items: readonly MissionItem[];
  /** Give it back as `cursor` for the next page; null at the end. */
  readonly next_cursor: string | null;
}

export function listPage(home: Home, { state, kind, cursor, limit = page_items_default }: ListOptions): Result<MissionPage> {
  if (cursor !== undefined && !/^[1-9][0-9]{0,15}$/.test(cursor)) return E.left(invalid('cursor', 'is not one that a page gave'));
  if (!Number.isInteger(limit) || limit < 1 || limit > page_items_max)
    return E.left(invalid('limit', `must be from 1 to ${page_items_max}`));
  const before = cursor === undefined ? undefined : Number(cursor);
  const items = listMissions(home.db, { state, kind, before, limit: limit + 1 });
  const page = items.slice(0, limit);
  return ok({ items: page, next_cursor: items.length > limit ? String(page.at(-1)?.revision) : null });
}

export const showMission = (home: Home, id: string): MissionRecord => missionRecord(home.db, requireMission(home.db, id));

export const recoverMission = (home: Home, id: string, actor: string): Result<MissionRecord> =>
  change(home, id, (tx, mission) =>
    decideRecover(mission, readEntry(tx.db, mission.revision)?.hash ?? '', circumstances(tx, actor)),
  );

export const cancelMission = (home: Home, id: string, actor: string): Result<MissionRecord> =>
  change(home, id, (tx, mission) => decideCancel(mission, circumstances(tx, actor)));

/** Deletes the blobs that hold a mission's input and result; the event that says so, and every proof, stay. */
export const eraseMission = (home: Home, id: string, reason: string, actor: string): Result<MissionRecord> =>
  change(home, id, (tx, mission) => {
    const events = decideErase(mission, reason, circumstances(tx, actor));
    if (E.isRight(events)) for (const hash of mission.blobs) tx.eraseBlob(hash);
    return events;
  });

type Decide = (tx: Transaction, mission: Mission) => Result<readonly MissionEvent[]>;

export function change(home: Home, id: string, decide: Decide): Result<MissionRecord> {
  const changed = home.writer.transact((tx) => record(tx, id, decide(tx, requireMission(tx.db, id))));
  return E.map((mission: Mission) => missionRecord(home.db, mission))(changed);
}
