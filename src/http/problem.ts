/**
 * Every failure that leaves the server is one document (RFC 9457, application/problem+json), made here: of a denial by the boundary,
 * of a refusal, or of a fault, whose inside goes to the log and never to the client.
 */
import { problem_text_chars_max } from '../base/limits.js';
import type { FieldError, RefusalCode } from '../base/refusal.js';
import { refusals } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';

/** What only HTTP has a word for: status and title. */
export const boundaryCodes = {
  method_not_allowed: [405, 'Method not allowed'],
  timeout: [408, 'Request timeout'],
  length_required: [411, 'Length required'],
  unsupported_media_type: [415, 'Unsupported media type'],
  expectation_failed: [417, 'Expectation failed'],
  misdirected: [421, 'Misdirected request'],
  too_many_requests: [429, 'Too many requests'],
  headers_too_large: [431, 'Request header fields too large'],
  unavailable: [503, 'Service unavailable'],
  fault: [500, 'Internal fault'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = RefusalCode | keyof typeof boundaryCodes;

/** Why a request goes no further: what the client is told, and header fields that go with it. */
export interface Denial {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection ends with this answer: nobody can tell where its next request would begin. */
  readonly close?: boolean;
}

export class Denied extends Error {
  readonly denial: Denial;
  constructor(denial: Denial) {
    super(`${denial.code}: ${denial.detail}`);
    this.name = 'Denied';
    this.denial = denial;
  }
}

export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly document: ProblemDocument;
}

interface ProblemDocument {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly errors?: readonly FieldError[];
  /** What a refusal is about, as in the revision that stands now. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The command that mends it. */
  readonly hint?: string;
}

export const problem_type = 'application/problem+json';

export function problemOfDenial({ code, detail, headers = {} }: Denial, errors?: readonly FieldError[]): Problem {
  const { status, title } = meaningOf(code);
  const list =
    errors === undefined ? {} : { errors: errors.map(({ path, message }) => ({ path: cut(path), message: cut(message) })) };
  return { status, headers, document: { type: 'about:blank', title, status, detail: cut(detail), code, ...list } };
}

/** The document for whatever was thrown, and whether it is a fault: something nobody expected, which the log must explain. */
export function problemOf(error: unknown): { readonly problem: Problem; readonly fault: boolean } {
  if (error instanceof Denied) return { problem: problemOfDenial(error.denial), fault: false };
  if (error instanceof RefusalError) {
    const { code, detail, errors, facts, hint } = error.refusal;
    const headers = headersOf(code);
    const problem = problemOfDenial({ code, detail, headers }, errors);
    const more = { ...(facts === undefined ? {} : { facts }), ...(hint === undefined ? {} : { hint }) };
    return { problem: { ...problem, document: { ...problem.document, ...more } }, fault: false };
  }
  return {
    problem: problemOfDenial({ code: 'fault', detail: 'the request failed; the log of the server says why' }),
    fault: true,
  };
}

/** RFC 9110, section 11.6.1: goes with every 401. */
export const challenge = { 'WWW-Authenticate': 'Bearer' } as const;

/** A daemon that stops is most often started again. */
const again = { 'Retry-After': '10' } as const;

const headersOf = (code: RefusalCode): Readonly<Record<string, string>> =>
  code === 'unauthorized' ? challenge : code === 'interrupted' ? again : {};

function meaningOf(code: ProblemCode): { readonly status: number; readonly title: string } {
  if (!isBoundaryCode(code)) return refusals[code];
  const [status, title] = boundaryCodes[code];
  return { status, title };
}

const isBoundaryCode = (code: ProblemCode): code is keyof typeof boundaryCodes => Object.hasOwn(boundaryCodes, code);

/** Member names are the client's own text and may be as long as its body. */
const cut = (text: string): string =>
  text.length <= problem_text_chars_max ? text : `${text.slice(0, problem_text_chars_max)}…`;
