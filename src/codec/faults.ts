/** Decoding errors: their paths and messages, and the refusal that is made of them. */
import * as t from 'io-ts';
import { type FieldError, invalidBy, type Refusal } from '../base/refusal.js';

/** Returns every decoding error with its path. */
export const fieldErrors = (faults: t.Errors): FieldError[] =>
  faults.map((e) => ({ path: pathOf(e.context), message: e.message ?? 'has the wrong type' }));

/** Returns the refusal for decoding errors. */
export const refusalOf = (faults: t.Errors): Refusal => invalidBy(fieldErrors(faults));

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
/** Returns the members of an object; none of anything else. */
export const membersOf = (u: unknown): Readonly<Record<string, unknown>> => (isObject(u) ? u : {});
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
