/** The endpoints that every server has: health, metrics, and the document that describes the others. */
import type { Registry } from 'prom-client';
import { JsonText } from '../../base/json-text.js';
import { healthCodec, openApiCodec } from '../../codec/api-system.js';
import type { Role } from './actor.js';
import { endpoint, type Endpoint } from './endpoint.js';
import { bytes, json, jsonText } from './reply.js';

export const healthEndpoint = (summary: string): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/healthz',
    auth: 'public',
    reserved: true,
    summary,
    responses: { 200: { description: 'It does', body: healthCodec } },
    handle: () => json(200, { status: 'ok' }),
  });

export const metricsEndpoint = (auth: Role, metrics: Registry): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/metrics',
    auth,
    summary: 'Metrics in the text format of Prometheus',
    responses: { 200: { description: 'The metrics', type: 'text/plain' } },
    handle: async () => bytes(200, metrics.contentType, await metrics.metrics()),
  });

/** @param textOf makes the document when it is first requested */
export function openApiEndpoint(path: string, auth: Role, textOf: () => string): Endpoint {
  let text: JsonText<Readonly<Record<string, unknown>>> | null = null;
  return endpoint({
    method: 'GET',
    path,
    auth,
    summary: 'This document',
    responses: { 200: { description: 'OpenAPI 3.1', body: openApiCodec } },
    handle: () => jsonText(200, (text ??= new JsonText(textOf()))),
  });
}
