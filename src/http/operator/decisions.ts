/** Endpoints that change a mission or the agent: execute, review, recover, cancel, pause and resume. */
import { firstAbort } from '../../base/first-abort.js';
import { pause, resume } from '../../app/control/control.js';
import { throwToAssistant } from '../../app/missions/assistants.js';
import { cancelMission, recoverMission, showMission } from '../../app/missions/missions.js';
import { approveSigned, reviewMission, reviewSubject } from '../../app/missions/review.js';
import { type Refusal, RefusalError } from '../../base/refusal.js';
import { missionParams, missionRecordCodec, reviewBody, subjectQuery } from '../../codec/api-missions.js';
import { controlDocument } from '../../codec/api-status.js';
import { signedReviewBody } from '../../codec/approvals.js';
import { choice, eitherBy, object, optional } from '../../codec/kit.js';
import { bytes, endpoint, type Endpoint, json, jsonEndpoint, problem } from '../core/endpoint.js';
import { untilAborted } from '../core/context.js';
import { homeFor, type Operator, pagesOf, shownTo } from './operator.js';

const executeQuery = object('ExecuteQuery', { wait: optional(choice('1')) });

const record = { description: "The mission's record", body: missionRecordCodec };
const absent = problem('No such mission');
const conflict = problem(
  'Not possible in the present state: mission state, revision, result hash or lease differ, or the agent is paused; facts give the present values',
);

export const decisionEndpoints = (operator: Operator): readonly Endpoint[] => {
  const short = (name: string, summary: string, act: typeof cancelMission): Endpoint =>
    endpoint({
      route: `POST /api/missions/{id}/${name}`,
      auth: 'reviewer',
      summary,
      params: missionParams,
      responses: { 200: record, 404: absent, 409: conflict },
      handle: async (input) => json(200, await act(homeFor(operator, input), input.params.id, input.actor.name)),
    });
  return [
    executeEndpoint(operator),
    jsonEndpoint({
      route: 'POST /api/missions/{id}/review',
      auth: 'reviewer',
      summary: 'Approve or reject a result, which is verified again first; approval archives it and does nothing else',
      params: missionParams,
      body: eitherBy('subject', signedReviewBody, reviewBody),
      responses: { 200: record, 404: absent, 409: conflict },
      async handle(input) {
        const { body, params } = input;
        const [home, actor] = [homeFor(operator, input), input.actor.name];
        const reviewed =
          'subject' in body
            ? approveSigned(home, params.id, body, { actor, pages: pagesOf(home, input.client) })
            : reviewMission(home, params.id, { ...body, actor });
        return json(200, await reviewed);
      },
    }),
    endpoint({
      route: 'GET /api/missions/{id}/review/subject',
      auth: 'reviewer',
      summary: 'What an approver is to sign within 15 minutes: RFC 8785 JSON, byte for byte',
      params: missionParams,
      query: subjectQuery,
      responses: { 200: { description: 'The text to be signed', type: 'application/json' }, 404: absent, 409: conflict },
      handle: (input) => bytes(200, 'application/json', reviewSubject(homeFor(operator, input), input.params.id, input.query)),
    }),
    short('recover', 'Queue a failed mission again, or one that was interrupted', recoverMission),
    short('cancel', 'End a queued or running mission; it can be recovered', cancelMission),
    jsonEndpoint({
      route: 'POST /api/control',
      auth: 'admin',
      summary: 'Pause or resume the agent',
      body: controlDocument,
      responses: { 200: { description: 'The state that is in force', body: controlDocument } },
      handle: async (input) => {
        const act = input.body.state === 'paused' ? pause : resume;
        return json(200, await act(homeFor(operator, input), input.actor.name));
      },
    }),
  ];
};

const executeEndpoint = ({ daemon: { home, executions }, stopping, streams }: Operator): Endpoint =>
  endpoint({
    route: 'POST /api/missions/{id}/execute',
    auth: 'reviewer',
    agent: 'may_execute',
    summary: 'Execute a queued mission as soon as a place is free; with wait=1 the response comes when it has ended',
    params: missionParams,
    query: executeQuery,
    responses: {
      200: { description: 'With wait=1: the record in review', body: missionRecordCodec },
      202: {
        description: 'The record: queued with its position, or running; the feed reports its progress. Repeated, nothing changes',
        body: missionRecordCodec,
      },
      404: absent,
      409: conflict,
      429: problem('An assistant has another mission executed; or too many wrong tokens'),
      502: problem('With wait=1: it failed'),
    },
    handle: async (input) => {
      const { id } = input.params;
      const { actor } = input;
      const isAssistant = actor.role === 'agent';
      const requested = await executions.request(id, actor.name, actor.via, isAssistant);
      if (input.query.wait === undefined) return json(202, shownTo(input, requested));
      const outcome = executions.outcome(id);
      if (outcome === null) return json(200, shownTo(input, showMission(home, id)));
      const known = isAssistant ? outcome.catch(throwToAssistant) : outcome;
      const ended = await untilAborted(known, firstAbort(input.signal, stopping)).finally(() => streams.requireReader(input));
      if (ended === null) throw new RefusalError(left);
      // One that cannot start stays in the queue.
      return json(ended.state === 'queued' ? 202 : 200, shownTo(input, ended));
    },
  });

/** The execution continues: it ends when the daemon stops, not when its client is gone. */
const left: Refusal = {
  code: 'interrupted',
  detail: 'the wait was interrupted, but the mission continues; get its state from GET /api/missions/{id}',
};
