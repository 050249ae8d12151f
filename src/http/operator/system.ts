/** The agent as a whole: health, status, doctor, metrics. */
import { doctorNow } from '../../app/operator/reports.js';
import { ok } from '../../base/result.js';
import { doctorCodec, healthCodec, statusCodec } from '../../codec/api-status.js';
import { endpoint, type Endpoint } from '../core/endpoint.js';
import { bytes, json } from '../core/reply.js';
import { actorOf, type Operator } from './operator.js';

const json_type = 'application/json; charset=utf-8';

export const systemEndpoints = ({ world, statusText, metrics }: Operator): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/healthz',
    auth: 'public',
    summary: 'Whether the process answers; it says nothing of the journal',
    responses: { 200: { description: 'It does', body: healthCodec } },
    handle: () => ok(json(200, { status: 'ok' })),
  }),
  endpoint({
    method: 'GET',
    path: '/api/status',
    auth: 'viewer',
    summary: 'The agent at a glance',
    responses: { 200: { description: 'The status', body: statusCodec } },
    handle: (input) => ok(bytes(200, json_type, statusText(actorOf(input)))),
  }),
  endpoint({
    method: 'GET',
    path: '/api/doctor',
    auth: 'viewer',
    summary: 'What is in order and what is not, with the command that mends it',
    responses: { 200: { description: 'The report, failed checks included', body: doctorCodec } },
    handle: () => ok(json(200, doctorNow(world))),
  }),
  endpoint({
    method: 'GET',
    path: '/metrics',
    auth: 'viewer',
    summary: 'Metrics in the text format of Prometheus',
    responses: { 200: { description: 'The metrics', type: 'text/plain' } },
    handle: async () => ok(bytes(200, metrics.contentType, await metrics.metrics())),
  }),
];
