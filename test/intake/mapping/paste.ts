import assert from 'node:assert/strict';
import type { Kind } from '../../../src/codec/kinds.js';
import { readFiles } from '../../../src/intake/read.js';
import type { IntakeChoice, IntakeOptions } from '../../../src/codec/api-intake.js';
import type { Outcome } from '../../../src/intake/types.js';

type Members = Readonly<Record<string, unknown>>;

/** Reads what a person pastes. */
export const paste = async (kind: Kind, text: string, options: IntakeOptions = {}): Promise<Outcome> =>
  await readFiles(kind, [{ name: 'paste.txt', bytes: Buffer.from(text) }], options);

export async function workOf(kind: Kind, text: string, options?: IntakeOptions): Promise<Members> {
  const outcome = await paste(kind, text, options);
  if (outcome.outcome !== 'draft') return assert.fail(JSON.stringify(outcome));
  const draft: unknown = outcome.draft;
  const work: unknown = typeof draft === 'object' && draft !== null && 'work' in draft ? draft.work : {};
  return Object.fromEntries(Object.entries(work ?? {}));
}

export async function notesOf(kind: Kind, text: string, options?: IntakeOptions): Promise<string> {
  const outcome = await paste(kind, text, options);
  return outcome.outcome === 'draft' ? outcome.notes.join('\n') : assert.fail(JSON.stringify(outcome));
}

export async function choicesOf(kind: Kind, text: string, options?: IntakeOptions): Promise<readonly IntakeChoice[]> {
  const outcome = await paste(kind, text, options);
  return outcome.outcome === 'choice_needed' ? outcome.choices : assert.fail(JSON.stringify(outcome));
}

export async function messagesOf(kind: Kind, text: string, options?: IntakeOptions): Promise<string> {
  const outcome = await paste(kind, text, options);
  if (outcome.outcome !== 'invalid') assert.fail(JSON.stringify(outcome));
  for (const { message, rows } of outcome.errors) assert.equal(/\brows? \d/i.test(message), rows.length > 0, message);
  return outcome.errors.map(({ message }) => message).join('\n');
}

/** Lines, one for each number from 0. */
export const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
export const counted = <A>(count: number, value: (i: number) => A): A[] => Array.from({ length: count }, (_, i) => value(i));
export const two = (value: number): string => String(value).padStart(2, '0');
