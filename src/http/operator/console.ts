/** The console: a page and its files. They hold no data; the page asks for the token and reads the API with it. */
import type { ConsoleFile } from '../../app/operator/console-files.js';
import { RefusalError } from '../../base/result.js';
import { object, required, text } from '../../codec/kit.js';
import { endpoint, type Endpoint } from '../core/endpoint.js';
import { problem } from '../core/openapi.js';
import { bytes, type BytesReply } from '../core/reply.js';
import type { Operator } from './operator.js';

const name_chars_max = 200;
const assetParams = object('AssetParams', { file: required(text({ max: name_chars_max })) });

const absent = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>agent-cli</title></head>
<body>
<h1>The console is not built</h1>
<p>This agent is running, and its HTTP API is at <code>/api</code>. The console's files are missing: build the program, then reload this page.</p>
</body>
</html>
`;

export const consoleEndpoints = ({ console: files }: Operator): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/',
    ignoresQuery: true,
    auth: 'public',
    summary: 'The console',
    responses: { 200: { description: 'A page', type: 'text/html' } },
    handle: () => {
      const page = files.page();
      return bytes(200, page?.type ?? 'text/html; charset=utf-8', page?.bytes ?? absent);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/favicon.ico',
    auth: 'public',
    summary: "The console's icon, at the path where browsers look for it",
    responses: { 200: { description: 'The icon; 404 while the console is not built', type: 'image/svg+xml' } },
    handle: () => fileAnswer(files.icon()),
  }),
  endpoint({
    method: 'GET',
    path: '/assets/{file}',
    auth: 'public',
    summary: 'A file of the console',
    params: assetParams,
    responses: { 200: { description: 'The file', type: '*/*' }, 404: problem('No such file') },
    handle: ({ params }) => fileAnswer(files.asset(params.file)),
  }),
];

function fileAnswer(file: ConsoleFile | null): BytesReply<200> {
  if (file === null) throw new RefusalError({ code: 'not_found', detail: 'the console has no such file' });
  return bytes(200, file.type, file.bytes);
}
