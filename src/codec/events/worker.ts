/** Events of the stream `@worker:<key>`: whether results of a worker count that signs them with this key. */
import { declare } from '../event-type.js';
import { required, text } from '../kit.js';
import { causedBy, id } from '../scalars.js';

const workerAdded = declare('worker.added', { name: required(id), ...causedBy });
const workerRemoved = declare('worker.removed', { ...causedBy });
/** A recomputation gave something else than the worker. */
const workerRefuted = declare('worker.refuted', { reason: required(text({ min: 1, max: 500 })), ...causedBy });

export const workerEvents = [workerAdded, workerRemoved, workerRefuted] as const;
