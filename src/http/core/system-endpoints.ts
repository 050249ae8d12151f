/** The endpoints that every server has: health, metrics, the document that describes the others, and a page with its files. */
import * as t from 'io-ts';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { JsonText } from '../../base/json-text.js';
import { RefusalError } from '../../base/refusal.js';
import { choice, mapOf, object, required, text } from '../../codec/kit.js';
import { bytes, type BytesReply, endpoint, type Endpoint, json, problem } from './endpoint.js';

const healthCodec = object('Health', { status: required(choice('ok')) });
const openApiCodec = mapOf(t.unknown);

export const healthEndpoint = (summary: string): Endpoint =>
  endpoint({
    route: 'GET /healthz',
    auth: 'public',
    summary,
    responses: { 200: { description: 'It does', body: healthCodec } },
    handle: () => json(200, { status: 'ok' }),
  });

export function metricsEndpoint(metrics: Registry): Endpoint {
  const ofProcess = processMetrics();
  return endpoint({
    route: 'GET /metrics',
    auth: 'viewer',
    summary: 'Metrics in the text format of Prometheus',
    responses: { 200: { description: 'The metrics', type: 'text/plain' } },
    handle: async () => bytes(200, metrics.contentType, await Registry.merge([metrics, ofProcess]).metrics()),
  });
}

/** The metrics of this process, which its servers share: they time the event loop as long as the process lives. */
let ofThisProcess: Registry | null = null;

function processMetrics(): Registry {
  if (ofThisProcess !== null) return ofThisProcess;
  ofThisProcess = new Registry();
  collectDefaultMetrics({ register: ofThisProcess });
  return ofThisProcess;
}

/** @param textOf makes the document when it is first requested */
export function openApiEndpoint(path: `/${string}`, textOf: () => string): Endpoint {
  let text: JsonText<Readonly<Record<string, unknown>>> | null = null;
  return endpoint({
    route: `GET ${path}`,
    auth: 'viewer',
    summary: 'This document',
    responses: { 200: { description: 'OpenAPI 3.1', body: openApiCodec } },
    handle: () => json(200, (text ??= new JsonText(textOf()))),
  });
}

interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array | string;
}

/** A page and its files. They hold no data; the page asks for the token and reads the API with it. */
interface PageFiles {
  readonly page: () => PageFile | null;
  readonly icon: () => PageFile | null;
  readonly asset: (name: string) => PageFile | null;
}

const name_chars_max = 200;
const assetParams = object('AssetParams', { file: required(text({ max: name_chars_max })) });
const pagePaths = { page: '/', icon: '/favicon.ico', asset: '/assets/{file}' } as const;
const allPaths: ReadonlySet<string> = new Set(Object.values(pagePaths));

/** Returns whether a template is that of a page or one of its files. */
export const isPagePath = (template: string): boolean => allPaths.has(template);

/** @param name such as `console`. @param unbuilt the page where it is not built; without it that is 404 */
export function pageEndpoints(name: string, files: PageFiles, unbuilt?: PageFile): readonly Endpoint[] {
  const absent = problem(unbuilt === undefined ? `No such file, or the ${name} is not built` : 'No such file');
  const send = (file: PageFile | null): BytesReply<200> => {
    if (file === null) throw new RefusalError('not_found', `the ${name} has no such file, or is not built`);
    return bytes(200, file.type, file.bytes);
  };
  const at = (path: (typeof pagePaths)[keyof typeof pagePaths], summary: string, description: string, type: string) => {
    const missing = unbuilt === undefined || path === pagePaths.asset ? { 404: absent } : {};
    const responses = { 200: { description, type }, ...missing };
    return { route: `GET ${path}`, auth: 'public', summary, responses } as const;
  };
  return [
    endpoint({
      ...at(pagePaths.page, `The ${name}`, 'A page', 'text/html'),
      ignoresQuery: true,
      handle: () => send(files.page() ?? unbuilt ?? null),
    }),
    endpoint({
      ...at(pagePaths.icon, `The ${name}'s icon, at the path where browsers look for it`, 'The picture', 'image/svg+xml'),
      handle: () => send(files.icon()),
    }),
    endpoint({
      ...at(pagePaths.asset, `A file of the ${name}`, 'The file', '*/*'),
      params: assetParams,
      handle: ({ params }) => send(files.asset(params.file)),
    }),
  ];
}
