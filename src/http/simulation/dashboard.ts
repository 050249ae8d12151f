/**
 * The dashboard: a page and its files, the same for all clients and without data; the page asks for the token and reads the API
 * with it.
 */
import type { ConsoleFile } from '../../app/operator/console-files.js';
import { RefusalError } from '../../base/result.js';
import { object, required, text } from '../../codec/kit.js';
import { endpoint, type Endpoint } from '../core/endpoint.js';
import { problem } from '../core/openapi.js';
import { bytes, type BytesReply } from '../core/reply.js';
import type { Simulation } from './simulation.js';

const assetParams = object('AssetParams', { file: required(text()) });
const paths = { page: '/', icon: '/favicon.ico', asset: '/assets/{file}' } as const;
const all: ReadonlySet<string> = new Set(Object.values(paths));

/** Returns whether a template is that of a dashboard file. */
export const isDashboardPath = (template: string): boolean => all.has(template);

const absent = problem('No such file, or the dashboard is not built');

export const dashboardEndpoints = ({ dashboard }: Simulation): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: paths.page,
    ignoresQuery: true,
    auth: 'public',
    summary: 'The dashboard',
    responses: { 200: { description: 'A page', type: 'text/html' }, 404: absent },
    handle: () => fileAnswer(dashboard.page()),
  }),
  endpoint({
    method: 'GET',
    path: paths.icon,
    auth: 'public',
    summary: "The dashboard's icon, at the path where browsers look for it",
    responses: { 200: { description: 'The picture', type: 'image/svg+xml' }, 404: absent },
    handle: () => fileAnswer(dashboard.icon()),
  }),
  endpoint({
    method: 'GET',
    path: paths.asset,
    auth: 'public',
    summary: 'A file of the dashboard',
    params: assetParams,
    responses: { 200: { description: 'The file', type: '*/*' }, 404: absent },
    handle: ({ params }) => fileAnswer(dashboard.asset(params.file)),
  }),
];

function fileAnswer(file: ConsoleFile | null): BytesReply<200> {
  if (file === null) throw new RefusalError({ code: 'not_found', detail: 'the dashboard has no such file, or is not built' });
  return bytes(200, file.type, file.bytes);
}
