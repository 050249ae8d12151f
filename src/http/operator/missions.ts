/** Missions: the list, creation, a record, its entries, its export. */
import type { Daemon } from '../../app/daemon/daemon.js';
import { exportText, requireApprovals } from '../../app/exports/export.js';
import { renderMission, type ReportFormat, reportFormats, reportTypes } from '../../app/exports/report.js';
import { requireShownToAssistant } from '../../app/missions/assistants.js';
import { listPageInParts, showMission } from '../../app/missions/missions.js';
import { requireMission } from '../../app/missions/record.js';
import { refuseRewritten, submitMission } from '../../app/missions/submit.js';
import { missionEntries } from '../../app/operator/entries.js';
import { page_items_max, search_chars_max, title_chars_max } from '../../base/limits.js';
import { unwrap } from '../../base/refusal.js';
import { draftedMission } from '../../codec/api-intake.js';
import {
  idempotencyHeaders,
  missionEntriesCodec,
  missionPageCodec,
  missionParams,
  missionRecordCodec,
} from '../../codec/api-missions.js';
import { kind } from '../../codec/kinds.js';
import { integerText, choice, decode, eitherBy, object, optional, text } from '../../codec/kit.js';
import { missionSorts, missionState, sortOrders } from '../../codec/record.js';
import { actor, moment, uuid } from '../../codec/scalars.js';
import { missionRequest, type MissionRequest } from '../../kinds/request.js';
import type { Actor } from '../core/context.js';
import { bytes, endpoint, type Endpoint, json, jsonEndpoint, problem } from '../core/endpoint.js';
import { homeFor, type Operator, shownTo, withConfig } from './operator.js';

const listQuery = object('MissionListQuery', {
  state: optional(missionState),
  kind: optional(kind),
  limit: optional(integerText(1, page_items_max)),
  cursor: optional(text({ pattern: /^[1-9][0-9]{0,15}$/ })),
  q: optional(text({ min: 1, max: search_chars_max })),
  /** Who acted on the mission or decided on its result. */
  actor: optional(actor),
  /** Missions in review that the actor, or the approver for whom the token acts, can decide. */
  needs: optional(choice('me')),
  /** Missions that changed last at this moment or later. */
  since: optional(moment),
  /** Missions that changed last before this moment. */
  until: optional(moment),
  sort: optional(choice(...missionSorts)),
  order: optional(choice(...sortOrders)),
});
/** For a calendar: only the operations of this machine, and of this job, by id or title. */
const calendarQuery = object('CalendarQuery', {
  machine: optional(text({ min: 1, max: title_chars_max })),
  job: optional(text({ min: 1, max: title_chars_max })),
});
const summaries: Readonly<Record<ReportFormat, string>> = {
  html: 'The report of an approved result with its export inside; of a result in review, a draft',
  csv: 'The table that is the answer of an approved result',
  xlsx: 'The tables of an approved result, as an Excel workbook',
  ics: 'The calendar of an approved schedule that has a start',
  md: 'The text of the report; of a result in review, a draft',
};
const entriesQuery = object('MissionEntriesQuery', { after: optional(integerText(0, Number.MAX_SAFE_INTEGER)) });

/** The mission whose request was changed to make this one. */
const submitQuery = object('SubmitQuery', { derived_from: optional(uuid) });

const absent = problem('No such mission');
const noCode = problem('A code mission, which has held-out cases, and a token of the role agent');
const missionBody = eitherBy('draft', draftedMission, missionRequest);
type MissionBody = typeof missionBody._A;

export const missionEndpoints = (operator: Operator): readonly Endpoint[] => [
  listEndpoint(operator.daemon),
  submitEndpoint(operator),
  ...readEndpoints(operator),
  ...reportEndpoints(operator),
];

const readEndpoints = ({ daemon, daemon: { home } }: Operator): readonly Endpoint[] => [
  endpoint({
    route: 'GET /api/missions/{id}',
    auth: 'viewer',
    agent: 'any',
    summary: 'A mission',
    params: missionParams,
    responses: { 200: { description: "The mission's record", body: missionRecordCodec }, 404: absent },
    handle: (input) => json(200, withConfig(daemon, shownTo(input, showMission(home, input.params.id)))),
  }),
  endpoint({
    route: 'GET /api/missions/{id}/events',
    auth: 'viewer',
    summary: "A mission's signed entries, the oldest first, each with its inclusion proof",
    params: missionParams,
    query: entriesQuery,
    responses: { 200: { description: 'The entries', body: missionEntriesCodec }, 404: absent },
    handle: ({ params, query }) => json(200, withConfig(daemon, missionEntries(home, params.id, query.after))),
  }),
  endpoint({
    route: 'GET /api/missions/{id}/export',
    auth: 'viewer',
    agent: 'any',
    summary: 'The export of an approved result, byte for byte what the export command writes',
    params: missionParams,
    responses: {
      200: { description: 'The export document', type: 'application/json', headers: ['Content-Disposition'] },
      403: noCode,
      404: absent,
      409: problem('The mission is not completed'),
      503: problem('The tool export is not active'),
    },
    async handle({ params: { id }, actor }) {
      const isAssistant = actor.role === 'agent';
      // Nothing is exported while config.json is not the signed one.
      home.config();
      if (isAssistant) requireShownToAssistant(requireMission(home.db, id));
      await requireApprovals(home, id);
      return bytes(200, 'application/json', exportText(home, id, { withoutSettlement: isAssistant }).text, {
        'Content-Disposition': `attachment; filename="${id.slice(0, 8)}.export.json"`,
      });
    },
  }),
];

/** What a browser takes the file for. The page is saved and not shown: here it would have the origin of the console. */
const contentTypeOf = (format: ReportFormat): string =>
  reportTypes[format] + (format === 'xlsx' ? '' : `; charset=utf-8${format === 'csv' ? '; header=present' : ''}`);

const reportEndpoints = ({ daemon: { home } }: Operator): readonly Endpoint[] =>
  reportFormats.map((format) =>
    endpoint({
      route: `GET /api/missions/{id}/report.${format}`,
      auth: 'viewer',
      agent: 'any',
      summary: summaries[format],
      params: missionParams,
      query: calendarQuery,
      responses: {
        200: {
          description: 'The file that the report command writes',
          type: reportTypes[format],
          headers: ['Content-Disposition'],
        },
        403: noCode,
        404: problem('No such mission, or no operation of this machine or job'),
        409: problem('There is no such file of the mission in its state, or a calendar has no dates'),
        503: problem('The tool export is not active'),
      },
      async handle({ params: { id }, query, actor }) {
        if (actor.role === 'agent') requireShownToAssistant(requireMission(home.db, id));
        home.config();
        const { bytes: file, approved } = await renderMission(home, id, format, query);
        return bytes(200, contentTypeOf(format), file, {
          'Content-Disposition': `attachment; filename="${id.slice(0, 8)}${approved ? '' : '.draft'}.${format}"`,
        });
      },
    }),
  );

/** Returns the request that is sent, or that of a draft with what was changed of it. */
function requestOf(
  { intake }: Operator,
  { body, bytes, actor }: { readonly body: MissionBody; readonly bytes: Uint8Array; readonly actor: Actor },
): MissionRequest {
  if ('draft' in body) return unwrap(decode(missionRequest, intake.mission(actor.name, body.draft, body.changes ?? {})));
  refuseRewritten(body, bytes);
  return body;
}

const submitEndpoint = (operator: Operator): Endpoint =>
  jsonEndpoint({
    route: 'POST /api/missions',
    auth: 'reviewer',
    agent: 'any',
    summary: 'Queue a mission, which is sent or a draft that was made of files; nothing executes by itself',
    headers: idempotencyHeaders,
    query: submitQuery,
    body: missionBody,
    responses: {
      200: { description: 'The mission that this key and input made before', body: missionRecordCodec, headers: ['Location'] },
      201: { description: 'The queued mission', body: missionRecordCodec, headers: ['Location'] },
      404: problem('No such draft, or one of another actor'),
      409: problem('The key was used with another input, or the draft is not one that can be queued'),
      429: problem('An assistant has 20 missions queued, or submitted 60 within an hour; or too many wrong tokens'),
    },
    handle: async (input) => {
      const key = input.headers['idempotency-key'];
      const { name, role } = input.actor;
      const request = requestOf(operator, input);
      const options = { derivedFrom: input.query.derived_from, isAssistant: role === 'agent' };
      const { record, created } = await submitMission(homeFor(operator, input), request, key, name, options);
      return json(created ? 201 : 200, shownTo(input, record), { Location: `/api/missions/${record.id}` });
    },
  });

const listEndpoint = (daemon: Daemon): Endpoint =>
  endpoint({
    route: 'GET /api/missions',
    auth: 'viewer',
    agent: 'any',
    summary: 'Missions, the most recently changed first; the order of goals covers the 10,000 most recently changed',
    query: listQuery,
    responses: { 200: { description: 'A page of missions', body: missionPageCodec } },
    handle: async ({ query: { needs, ...query }, actor: asking }) => {
      const options = needs === undefined ? query : { ...query, needs: asking.approver ?? null };
      return json(200, withConfig(daemon, await listPageInParts(daemon.home, options)));
    },
  });
