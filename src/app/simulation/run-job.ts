/** A whole run as a job: a pure function of the request and the islands' names, whose output is the outcome's canonical text. */
import * as t from 'io-ts';
import { utf8 } from '../../base/bytes.js';
import { isRefused } from '../../base/result.js';
import { islandNames } from '../../codec/events/simulation.js';
import { mapOf, object, required } from '../../codec/kit.js';
import { canonicalRequest, decodeSettled } from '../../codec/simulation.js';
import { simulate } from '../../engines/simulation/engine.js';
import { readFrame, writeFrame } from '../jobs/frame.js';
import { canonicalOutcome } from './outcome-text.js';
import type { SimulationTask } from './protocol.js';

const header = object('Run', { request: required(mapOf(t.unknown)), islands: required(islandNames) });

export const writeRunJob = ({ request, islands }: SimulationTask): Uint8Array<ArrayBuffer> =>
  writeFrame({ request: canonicalRequest(request), islands }, new Uint8Array());

/** Returns the run that a job's input describes, or null for an input that describes none. */
export function readRunJob(input: Uint8Array): SimulationTask | null {
  const frame = readFrame(header, input);
  if (frame === null || frame.bytes.length > 0) return null;
  const request = decodeSettled(frame.header.request);
  return isRefused(request) ? null : { request: request.right, islands: frame.header.islands };
}

/** @param checkpoint called before each generation @param alive called after every evaluation */
export const computeRun = (
  { request, islands }: SimulationTask,
  checkpoint: () => void,
  alive: () => void,
): Uint8Array<ArrayBuffer> => new Uint8Array(utf8(canonicalOutcome(simulate(request, islands, { checkpoint, alive }), alive)));
