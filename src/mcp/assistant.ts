/** What an assistant may use, over either transport, and how one of its requests is answered while it runs. */
import type { Home } from '../app/home/home.js';
import type { Intake } from '../app/intake/intake.js';
import type { MissionRecord } from '../codec/api-missions.js';
import type { InputFile } from '../intake/types.js';
import type { JsonObject } from './rpc.js';

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
  /** Returns the address of a mission's page in the console; null while none is served. */
  readonly pageOf: (id: string) => string | null;
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
  /** Sends a notification before the response; null where the client cannot get one. */
  readonly notify: ((method: string, params: JsonObject) => void) | null;
  /** Asks the person to open an address; null where the client cannot show one. */
  readonly showAddress: ((url: string, message: string) => void) | null;
}
