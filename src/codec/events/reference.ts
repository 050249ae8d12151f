/** Events into which entries of the reference agent (schema 1) are read: its control state, and a mission's whole state. */
import * as t from 'io-ts';
import { declare } from '../event-type.js';
import { choice, mapOf, nullable, required, text } from '../kit.js';
import { hash } from '../scalars.js';

const referenceControl = declare('reference.control', {
  state: required(choice('ready', 'paused')),
  config_hash: required(hash),
});
const referenceMission = declare('reference.mission', {
  snapshot: required(mapOf(t.unknown)),
  lease_expires_ns: required(nullable(text())),
});

export const referenceEvents = [referenceControl, referenceMission] as const;
