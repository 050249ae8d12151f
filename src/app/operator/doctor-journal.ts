/** The checks of `doctor` that concern the journal and its tables, and how a check is made of a refusal. */
import type { Refusal } from '../../base/refusal.js';
import { parseTime } from '../../base/time.js';
import type { Check } from '../../codec/api-status.js';
import { readEntry, readHead } from '../../journal/reader.js';
import type { Home } from '../home/home.js';
import { remembered, verification_age_ms_max } from '../home/witness.js';
import { projectionDifference } from '../log/verify-home.js';

export const passed = (name: string, detail: string): Check => ({ name, status: 'ok', detail, fix: null });
export const fromRefusal = (name: string, refusal: Refusal | null, detail: string): Check =>
  refusal === null ? passed(name, detail) : { name, status: 'fail', detail: refusal.detail, fix: refusal.hint ?? null };

export function journalCheck(home: Home, isUnverified: boolean): Check {
  const name = 'journal';
  const { size, hash } = readHead(home.db);
  const { head, entries, schema } = home.faults;
  const refusal = head ?? entries ?? schema;
  const detail = `newest entry, checkpoint, tiles and projections agree at ${size}:${hash.slice(0, 16)}`;
  if (refusal !== null || !isUnverified) return fromRefusal(name, refusal, detail);
  return { name, status: 'warn', detail: `${detail}; the daemon has not verified all entries yet`, fix: null };
}

/** Warns when nobody has verified the journal as a whole for long: a command checks only what it reads. */
export function verificationCheck({ world, writer, db }: Home): Check {
  const name = 'verification';
  const { passed_at } = remembered({ world, origin: writer.origin });
  const since = passed_at ?? readEntry(db, 1)?.time ?? null;
  const isOld = since !== null && world.clock() - parseTime(since) > verification_age_ms_max;
  const detail = passed_at === null ? 'the journal was not verified as a whole yet' : `the whole journal passed at ${passed_at}`;
  return isOld ? { name, status: 'warn', detail, fix: 'agent-cli verify' } : passed(name, detail);
}

/** The tables of a journal with more entries are not compared as a whole. */
const compared_entries_max = 10_000;

export function tablesCheck(home: Home): Check {
  const name = 'tables';
  const { head, entries, schema } = home.faults;
  const found = home.damage.found().find((refusal) => refusal !== head && refusal !== entries && refusal !== schema);
  if (found !== undefined) return fromRefusal(name, found, '');
  if (head !== null || entries !== null || schema !== null)
    return { name, status: 'warn', detail: 'not compared with the entries, because the journal is damaged', fix: null };
  if (home.writer.head.size > compared_entries_max)
    return passed(name, 'each row is compared when it is used; agent-cli verify compares all');
  const difference = projectionDifference(home.db);
  if (difference === null) return passed(name, 'every row matches its signed entries');
  const refusal: Refusal = { code: 'integrity', detail: difference, hint: 'agent-cli rebuild' };
  home.damage.report(refusal);
  return fromRefusal(name, refusal, '');
}
