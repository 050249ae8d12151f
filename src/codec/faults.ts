/** Decoding errors: their paths and messages, and the refusal that is made of them. */
import * as t from 'io-ts';
import type { FieldError, Refusal } from '../base/refusal.js';

const shown_errors = 20;

/** Returns every decoding error with its path. */
export const fieldErrors = (faults: t.Errors): FieldError[] =>
  faults.map((e) => ({ path: pathOf(e.context), message: e.message ?? 'has the wrong type' }));

/** Returns the refusal for decoding errors: its detail is the first one, its `errors` are the first 20 with their paths. */
export function refusalOf(faults: t.Errors): Refusal {
  const errors = fieldErrors(faults);
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const where = first === undefined || first.path === '' ? '' : `${first.path}: `;
  return { code: 'invalid', detail: `${where}${first?.message ?? 'invalid'}${more}`, errors: errors.slice(0, shown_errors) };
}

function pathOf(context: t.Context): string {
  let path = '';
  for (const { key } of context) {
    if (key === '') continue;
    path += path === '' || key.startsWith('[') ? key : `.${key}`;
  }
  return path;
}

/** Appends one by one: `push(...more)` fails when a hostile document has more errors than a call may have arguments. */
export function append(errors: t.Errors, more: t.Errors): void {
  for (const error of more) errors.push(error);
}

export const isObject = (u: unknown): u is Record<string, unknown> => typeof u === 'object' && u !== null && !Array.isArray(u);
export const at = (c: t.Context, key: string, codec: t.Mixed, actual: unknown): t.Context =>
  t.appendContext(c, key, codec, actual);
export const fault = (value: unknown, context: t.Context, message: string): t.ValidationError => ({ value, context, message });

/** An error of a well-formed value that this program does not know: a member or a choice that a newer program may know. */
export class UnknownFault implements t.ValidationError {
  constructor(
    readonly value: unknown,
    readonly context: t.Context,
    readonly message: string,
  ) {}
}

/** Returns the error of a value that is none of the choices: a text may be a newer program's choice, anything else is a wrong type. */
export const notAmong: typeof fault = (value, context, message) =>
  typeof value === 'string' ? new UnknownFault(value, context, message) : fault(value, context, message);
