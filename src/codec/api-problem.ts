/** The document of every error response (RFC 9457, application/problem+json). */
import * as t from 'io-ts';
import { refusals, type RefusalCode } from '../base/refusal.js';
import { choice, integer, list, mapOf, object, optional, required, text } from './kit.js';

/** Codes that occur only in HTTP, with their statuses. */
export const boundaryCodes = {
  method_not_allowed: 405,
  timeout: 408,
  length_required: 411,
  unsupported_media_type: 415,
  expectation_failed: 417,
  misdirected: 421,
  upgrade_required: 426,
  headers_too_large: 431,
  unavailable: 503,
  fault: 500,
} as const satisfies Record<string, number>;

export type ProblemCode = RefusalCode | keyof typeof boundaryCodes;

const namesOf = <K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] => Object.keys(table) as K[];
const codes: readonly ProblemCode[] = [...new Set([...namesOf(refusals), ...namesOf(boundaryCodes)])].toSorted();

const fieldError = object('FieldError', { path: required(text()), message: required(text()) });

/** A problem document of RFC 9457, with this program's extension members. */
export const problemCodec = object('Problem', {
  type: required(choice('about:blank')),
  title: required(text()),
  status: required(integer(400, 599)),
  detail: required(text()),
  code: required(choice(...codes)),
  errors: optional(list(fieldError, 0, 100)),
  /** Facts about the refusal, such as the current revision. */
  facts: optional(mapOf(t.unknown)),
  /** The command that fixes it. */
  hint: optional(text()),
});
export type ProblemDocument = t.TypeOf<typeof problemCodec>;
