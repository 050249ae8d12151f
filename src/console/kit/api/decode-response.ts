/** A response as the page uses it. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { fieldErrors } from '../../../codec/faults.js';
import { tolerant } from '../../../codec/tolerant.js';
import { localProblem } from './problem.js';

/**
 * Decodes a response without the members that the page does not know.
 * @param body undefined for a response that is not JSON
 * @throws Problem that names the first member that does not fit
 */
export function decodeResponse<A>(codec: t.Type<A, unknown>, body: unknown): A {
  const decoded = tolerant(codec).decode(body);
  if (E.isRight(decoded)) return decoded.right;
  const [{ path, message } = { path: '', message: '' }] = fieldErrors(decoded.left);
  const dot = path === '' || path.startsWith('[') ? '' : '.';
  throw localProblem('unexpected', `${codec.name}${dot}${path}: ${message}`);
}
