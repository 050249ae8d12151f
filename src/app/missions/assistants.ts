/**
 * What assistants see of missions, and how many they may submit and have executed. They are the holders of tokens of the role `agent` and
 * the MCP server; what they read is drafted, and never reviewed, by them.
 */
import { RefusalError } from '../../base/refusal.js';
import { formatTime, parseTime } from '../../base/time.js';
import type { MissionRecord } from '../../codec/api-missions.js';
import type { Mission } from '../../codec/record.js';
import type { Transaction } from '../../journal/writer.js';
import { needsSandbox } from '../../kinds/table.js';
import { executionsFor, missionsOfAssistant } from '../../tables/missions.js';
import { isObject } from '../../codec/faults.js';

/** Missions of one assistant that wait in `queued`. */
const queued_max = 20;
/** Missions that one assistant submits in an hour. */
const submissions_max = 60;
const hour_ms = 3_600_000;
/** When an assistant may look again whether a person, or the machine, has made room. */
const again_s = 60;

const countOf = (value: unknown): unknown => (Array.isArray(value) ? { count: value.length } : null);

/** Returns a code mission's request without its held-out cases. */
const withoutHeldout = (request: unknown): unknown =>
  isObject(request) && isObject(request['work'])
    ? { ...request, work: { ...request['work'], heldout: countOf(request['work']['heldout']) } }
    : null;

/** Returns a code mission's result with no more of its held-out cases than their number and how many passed. */
const withoutVerdicts = (result: unknown): unknown =>
  isObject(result) && isObject(result['verdicts'])
    ? { ...result, verdicts: { ...result['verdicts'], heldout: countOf(result['verdicts']['heldout']) } }
    : null;

/** A failure names held-out cases after this. */
const failedCases = /(held-out cases failed):.*$/s;

/**
 * Returns the record as an assistant sees it: no result before people have approved it, nothing of a code mission's held-out cases but their
 * number, and no payments. The details of stages repeat parts of all of these, and changes those of the request that they were made to.
 */
export function shownToAssistant(record: MissionRecord): MissionRecord {
  const { state, kind, error } = record;
  const isOpen = state !== 'completed';
  const isCode = needsSandbox(kind);
  const { changes: _1, ...known } = record;
  return {
    ...known,
    ...(isCode ? { request: withoutHeldout(record.request), result: withoutVerdicts(record.result) } : {}),
    ...(isOpen ? { result: null, inference: null, verification: null } : {}),
    ...(isOpen && record.result_hash !== null ? { result_hidden: true as const } : {}),
    ...(isCode && error !== null ? { error: { ...error, message: error.message.replace(failedCases, '$1') } } : {}),
    stages: record.stages.map((stage) => ({ ...stage, detail: {} })),
    invoice: null,
    receipt: null,
  };
}

/** Throws the failure of a mission's execution as an assistant sees it: without what failed held-out cases were given. */
export function throwToAssistant(error: unknown): never {
  if (!(error instanceof RefusalError)) throw error;
  const { code, detail } = error.refusal;
  throw new RefusalError(code, detail.replace(failedCases, '$1'));
}

/** @throws RefusalError `wrong_state` before people have approved the result, `forbidden` for a code mission, whose export holds its held-out cases */
export function requireShownToAssistant({ id, kind, state }: Pick<Mission, 'id' | 'kind' | 'state'>): void {
  if (state !== 'completed') throw new RefusalError('wrong_state', `mission ${id} has no approved result`, { facts: { state } });
  if (needsSandbox(kind))
    throw new RefusalError(
      'forbidden',
      'exports and reports of code missions hold their held-out cases, which assistants do not see',
    );
}

/** @throws RefusalError `too_many_requests` where an assistant has as many missions queued, or submitted in an hour, as it may */
export function requireRoom({ db, now }: Transaction, name: string): void {
  const { queued, recent } = missionsOfAssistant(db, name, formatTime(now - hour_ms));
  const oldest = recent.map(({ created_at }) => created_at).toSorted()[recent.length - submissions_max];
  if (oldest !== undefined) {
    const wait_s = Math.ceil((parseTime(oldest) + hour_ms - now) / 1_000);
    throw tooMany(`an assistant submits at most ${submissions_max} missions in an hour`, Math.max(1, wait_s));
  }
  if (queued.length >= queued_max)
    throw tooMany(
      `${name} has ${queued.length} queued missions, which is the most; a person must execute or cancel some`,
      again_s,
    );
}

/** @throws RefusalError `too_many_requests` where an assistant has another mission executed */
export function requireFreePlace({ db }: Transaction, name: string, id: string): void {
  const [other] = executionsFor(db, name, id);
  if (other !== undefined)
    throw tooMany(`mission ${other.id} is executed for ${name}, which has one executed at a time`, again_s);
}

const tooMany = (detail: string, retry_after_s: number): RefusalError =>
  new RefusalError('too_many_requests', detail, { facts: { retry_after_s } });
