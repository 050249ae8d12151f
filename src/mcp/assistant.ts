/** What an assistant may use, over either transport, and how one of its requests is answered while it runs. */
import type { Home } from '../app/home/home.js';
import type { Intake } from '../app/intake/intake.js';
import type { MissionRecord } from '../codec/api-missions.js';
import type { InputFile } from '../intake/types.js';
import { isObject, type JsonObject, requestText, type RpcMessage } from './rpc.js';

export interface Assistant {
  /** The actor of its events. */
  readonly name: string;
  /** The version of this program. */
  readonly version: string;
  /** Runs `use` with the home, on which it acts as this assistant. */
  readonly withHome: <A>(use: (home: Home) => Promise<A> | A) => Promise<A>;
  readonly intake: Intake;
  /** Reads a file, or the files of a directory, that the person allowed; null over HTTP, where a path means nothing. */
  readonly readFiles: ((path: string) => readonly InputFile[]) | null;
  /** Puts a queued mission into the queue of executions; null where only a person does. */
  readonly execute: ((home: Home, id: string) => Promise<MissionRecord>) | null;
  /** Returns whether a daemon runs, which executes what is queued. */
  readonly isServed: (home: Home) => boolean;
  /** Returns the address of a mission's page in the console; null while none is served. */
  readonly pageOf: (id: string) => string | null;
  /** What a command for the person ends with: `--home` with the home, as their shell may take another one; nothing over HTTP. */
  readonly homeFlag: string;
}

/** Which revision a request speaks, and what its client can do. */
export interface Envelope {
  readonly isModern: boolean;
  readonly capabilities: JsonObject;
}

export interface Exchange {
  readonly envelope: Envelope;
  /** Aborts when the client is gone or has cancelled the request. */
  readonly signal: AbortSignal;
  /** Tells the client how far the request is; null where it did not ask for that. */
  readonly progress: ((done: number, total: number, message: string) => void) | null;
  /** Asks the person to open an address, once, while the request waits; null where the client cannot be asked so. */
  readonly showAddress: ((url: string, message: string) => void) | null;
}

/** Each notification repeats it, and a client may leave them unread. */
const progress_token_chars_max = 256;

/** Returns what tells the progress of a request by notifications. @param send sends the text of one */
export function progressOf({ params }: RpcMessage, send: (text: string) => void): Exchange['progress'] {
  const token = isObject(params['_meta']) ? params['_meta']['progressToken'] : undefined;
  if (typeof token !== 'number' && (typeof token !== 'string' || token.length > progress_token_chars_max)) return null;
  return (progress, total, message) =>
    send(requestText(undefined, 'notifications/progress', { progressToken: token, progress, total, message }));
}
