/** Files for a new mission: they are sent in parts, and read as often as the choices about them change. */
import {
  intakeDraft,
  intakeOpening,
  intakeOutcome,
  intakeParams,
  intakePart,
  intakeReceived,
  intakeRequest,
  templateParams,
} from '../../codec/api-intake.js';
import { templateBytes } from '../../app/missions/examples.js';
import { bytes, endpoint, type Endpoint, json, jsonEndpoint, problem } from '../core/endpoint.js';
import type { Operator } from './operator.js';

const absent = problem('No such draft, or one of another actor');

const templateEndpoint = endpoint({
  route: 'GET /api/templates/{kind}/{format}',
  auth: 'viewer',
  agent: 'any',
  summary: 'The example of a kind of mission as a spreadsheet to fill in',
  params: templateParams,
  responses: { 200: { description: 'The file', type: 'application/octet-stream', headers: ['Content-Disposition'] } },
  handle: ({ params: { kind, format } }) =>
    bytes(200, 'application/octet-stream', templateBytes(kind, format), {
      'Content-Disposition': `attachment; filename="${kind}.${format}"`,
    }),
});

export const intakeEndpoints = ({ intake }: Pick<Operator, 'intake'>): readonly Endpoint[] => [
  jsonEndpoint({
    route: 'POST /api/intake',
    auth: 'reviewer',
    agent: 'any',
    summary: 'Begin a draft of a mission from files; nothing is recorded',
    body: intakeOpening,
    responses: { 201: { description: 'The draft, which is kept for 30 minutes', body: intakeDraft, headers: ['Location'] } },
    handle: async (input) => {
      const draft = await intake.open(input.actor.name, input.body.files);
      return json(201, draft, { Location: `/api/intake/${draft.draft}` });
    },
  }),
  jsonEndpoint({
    route: 'POST /api/intake/{id}/parts',
    auth: 'reviewer',
    agent: 'any',
    summary: 'Send the next part of a file',
    params: intakeParams,
    body: intakePart,
    responses: {
      200: { description: 'How many bytes of the file there are', body: intakeReceived },
      404: absent,
      409: problem('The part does not begin where the last one ended'),
    },
    handle: async (input) => json(200, { received: await intake.add(input.actor.name, input.params.id, input.body) }),
  }),
  jsonEndpoint({
    route: 'POST /api/intake/{id}',
    auth: 'reviewer',
    agent: 'any',
    summary: 'Read the files for a kind of mission; nothing is recorded',
    params: intakeParams,
    body: intakeRequest,
    responses: {
      200: { description: 'A draft, the choices that are needed, or what is wrong with the files', body: intakeOutcome },
      404: absent,
      409: problem('A file was not received as a whole'),
    },
    handle: async (input) => {
      const { kind, options = {} } = input.body;
      return json(200, await intake.read(input.actor.name, input.params.id, kind, options, input.signal));
    },
  }),
  templateEndpoint,
];
