/**
 * Checks that a docket belongs to its run: every file matches its checksum and is byte-for-byte the one written for that run. The
 * docket repeats the run's own descriptions (contract, rollback, profile, evidence). No other text is free, because a reader of
 * the docket takes every text for a finding.
 */
import * as E from 'fp-ts/lib/Either.js';
import { sha256Hex, utf8 } from '../../base/bytes.js';
import { ok, type Refusal, refuse, type Result } from '../../base/refusal.js';
import { hash } from '../../codec/scalars.js';
import { decode, mapOf } from '../../codec/kit.js';
import { decodeRun, type TransferRun } from '../../codec/transfer-run.js';
import { indentedText, readTransferText, type TransferText } from '../../codec/transfer-text.js';
import { firstDifference } from './difference.js';
import { checksums, checksumsText, docketMembers, docketNames, docketValues, runMember, type DocketName } from './docket.js';
import type { Outcome } from './outcome.js';
import { replay } from './run.js';

export interface CheckedDocket {
  readonly run: TransferRun;
  readonly outcome: Outcome;
}

/** @param texts every file of the docket */
export function checkDocket(texts: ReadonlyMap<DocketName, string>): Result<CheckedDocket> {
  const text = (name: DocketName): string => texts.get(name) ?? '';
  const sums = checkChecksums(texts, text(checksums));
  if (sums !== null) return refuse(sums);
  const run = decodeRun(utf8(text(runMember)), isIndented);
  if (E.isLeft(run)) return refuse(within(runMember, run.left));
  const outcome = replay(run.right);
  if (E.isLeft(outcome)) return refuse(within(runMember, outcome.left));
  const values = new Map(docketValues(run.right, outcome.right));
  for (const { name, text: expected } of docketMembers(run.right, outcome.right)) {
    const given = text(name);
    if (given !== expected)
      return refuse(values.has(name) ? jsonFault(name, given, values.get(name)) : lineFault(name, given, expected));
  }
  return ok({ run: run.right, outcome: outcome.right });
}

const isIndented = ({ value, text }: TransferText): boolean => text === indentedText(value);

function checkChecksums(texts: ReadonlyMap<DocketName, string>, given: string): Refusal | null {
  const document = readTransferText(utf8(given));
  if (E.isLeft(document)) return within(checksums, document.left);
  const sums = decode(mapOf(hash), document.right.value);
  if (E.isLeft(sums)) return within(checksums, sums.left);
  const expected = docketNames.filter((name) => name !== checksums);
  const unknown = Object.keys(sums.right).find((name) => !(expected as readonly string[]).includes(name));
  if (unknown !== undefined) return refuted(checksums, 'names a file that does not belong in a docket');
  for (const name of expected) {
    if (sums.right[name] === undefined) return refuted(checksums, `has no digest of ${name}`);
    if (sums.right[name] !== sha256Hex(texts.get(name) ?? ''))
      return refuted(name, `is not the file that ${checksums} has the digest of`);
  }
  return given === checksumsText(texts) ? null : unwritten(checksums);
}

/** Describes what is wrong with a JSON file that is not the expected one. */
function jsonFault(name: DocketName, given: string, expected: unknown): Refusal {
  const document = readTransferText(utf8(given));
  if (E.isLeft(document)) return within(name, document.left);
  const path = firstDifference(expected, document.right.value, '');
  return path === null ? unwritten(name) : refuted(name, `${path === '' ? 'it' : path} is not as it follows from the run`);
}

function lineFault(name: DocketName, given: string, expected: string): Refusal {
  const [lines, wanted] = [given.split('\n'), expected.split('\n')];
  const at = wanted.findIndex((line, i) => line !== lines[i]);
  return refuted(name, `line ${at < 0 ? wanted.length + 1 : at + 1} is not the one that is written for the run`);
}

const unwritten = (name: string): Refusal => ({
  code: 'malformed',
  detail: `${name}: the bytes are not as dockets are written: members sorted, indented by two spaces, a newline at the end`,
});

const refuted = (name: string, what: string): Refusal => ({ code: 'verification_failed', detail: `${name}: ${what}` });

/** A refusal of one file's content, with the file's name. */
const within = (name: string, refusal: Refusal): Refusal => ({ ...refusal, detail: `${name}: ${refusal.detail}` });
