/** Approvers: the list, links by which people register passkeys, and removal. */
import { listApprovers, removeApprover } from '../../app/approvals/approvers.js';
import { tokenOfActor } from '../../app/tokens/authenticate.js';
import {
  approverCodec,
  approverCodeBody,
  approverLinkBody,
  approverLinkCodec,
  approverListCodec,
  approverOfferCodec,
  approverParams,
  approverRemoval,
  registrationBody,
} from '../../codec/api-approvers.js';
import { endpoint, type Endpoint, json, jsonEndpoint, problem } from '../core/endpoint.js';
import { homeFor, type Operator, pagesOf } from './operator.js';

const invalidLink = problem('The link is not valid: unknown, used, or over');

export const approverEndpoints = (operator: Operator): readonly Endpoint[] => [
  endpoint({
    route: 'GET /api/approvers',
    auth: 'viewer',
    summary: 'The people who approve results, with the fingerprints of their keys, removed ones too',
    responses: { 200: { description: 'The approvers by name', body: approverListCodec } },
    handle: () => json(200, listApprovers(operator.daemon.home)),
  }),
  jsonEndpoint({
    route: 'POST /api/approvers/{name}/remove',
    auth: 'admin',
    summary: 'Remove a key of an approver, or the approver; what they approved stays valid',
    params: approverParams,
    body: approverRemoval,
    responses: {
      200: { description: 'The approver', body: approverCodec },
      404: problem('No such approver, or no such key in use'),
      409: problem('The approver is removed already'),
    },
    handle: async (input) => {
      const { name } = input.params;
      const { reason, fingerprint = null } = input.body;
      const removal = { name, fingerprint, reason, actor: input.actor.name };
      return json(200, await removeApprover(homeFor(operator, input), removal));
    },
  }),
  ...linkEndpoints(operator),
];

const linkEndpoints = ({ approverLinks, daemon: { home } }: Operator): readonly Endpoint[] => [
  jsonEndpoint({
    route: 'POST /api/approver-links',
    auth: 'admin',
    summary: 'Make a link by which a person registers a passkey as this approver; once, within ten minutes',
    body: approverLinkBody,
    responses: { 200: { description: 'The link', body: approverLinkCodec } },
    handle: (input) => {
      const { name, via } = input.actor;
      const { code, expires_at } = approverLinks.issue(home, input.body, { name, via, token: tokenOfActor(name) });
      return json(200, { link: `${pagesOf(home, input.client)[0] ?? ''}/#register=${code}`, expires_at });
    },
  }),
  jsonEndpoint({
    route: 'POST /api/approver-links/open',
    auth: 'public',
    summary: 'For whom a link is, and the challenge for a passkey; a new challenge replaces the one before',
    body: approverCodeBody,
    responses: { 200: { description: 'The approver and the challenge', body: approverOfferCodec }, 401: invalidLink },
    handle: ({ body }) => json(200, approverLinks.open(home, body.code)),
  }),
  jsonEndpoint({
    route: 'POST /api/approver-links/register',
    auth: 'public',
    summary: 'Add the passkey that a browser made for the challenge of a link, by an authenticator that verified its user',
    body: registrationBody,
    responses: {
      200: { description: 'The approver, the new key last', body: approverCodec },
      401: invalidLink,
      409: problem('Somebody has this key, or had it'),
    },
    handle: async ({ body: { code, ...given }, client }) =>
      json(200, await approverLinks.register(home, code, given, pagesOf(home, client))),
  }),
];
