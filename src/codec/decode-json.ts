/** Decodes JSON text in one step. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { type JsonOptions, parseJsonBytes } from '../base/json.js';
import type { Result } from '../base/refusal.js';
import { decode } from './kit.js';

/** Returns the value that strict JSON in UTF-8 describes, or why it is none of the codec's. */
export const decodeJson = <A>(codec: t.Decoder<unknown, A>, bytes: Uint8Array, options: JsonOptions = {}): Result<A> =>
  E.chain((value: unknown) => decode(codec, value))(parseJsonBytes(bytes, options));
