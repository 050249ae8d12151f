/** The journal: entries by page, the signed checkpoint, proofs, and the feed of new entries. */
import type { FeedItem } from '../../app/daemon/feed.js';
import { consistency, entryDetail, entryPage, inclusion } from '../../app/operator/entries.js';
import { checkpointNow } from '../../app/operator/reports.js';
import { page_items_max } from '../../base/limits.js';
import { invalid, RefusalError } from '../../base/refusal.js';
import {
  checkpointCodec,
  entryDetailCodec,
  journalPageCodec,
  proofCodec,
  type FeedEntry,
  type FeedProgress,
} from '../../codec/api-journal.js';
import type { ConfigStatus } from '../../codec/api-status.js';
import { integerText, object, optional, required, text } from '../../codec/kit.js';
import { actor, moment } from '../../codec/scalars.js';
import { endpoint, type Endpoint, json, problem } from '../core/endpoint.js';
import { event_stream_type, type FeedItem as StreamItem } from './events.js';
import { type Operator, withConfig } from './operator.js';

const sequence = integerText(1, Number.MAX_SAFE_INTEGER);
const pageQuery = object('JournalQuery', {
  before: optional(sequence),
  limit: optional(integerText(1, page_items_max)),
  /** The id of a mission, or its beginning. */
  mission: optional(text({ pattern: /^[0-9a-f-]{1,36}$/, form: 'the id of a mission in lower case, or its beginning' })),
  /** A type of entry, or the part before the dot for all types of that group. */
  type: optional(text({ pattern: /^[a-z_]{1,32}(?:\.[a-z_]{1,32})?$/ })),
  /** Who acted or decided. */
  actor: optional(actor),
  /** Entries of this moment or later. */
  since: optional(moment),
  /** Entries before this moment. */
  until: optional(moment),
});
const entryParams = object('JournalEntryParams', { sequence: required(sequence) });
const proofQuery = object('ProofQuery', { sequence: optional(sequence), from: optional(sequence) });
const after = optional(integerText(0, Number.MAX_SAFE_INTEGER));
const feedQuery = object('FeedQuery', { after });
const feedHeaders = object('FeedHeaders', { 'last-event-id': after });

export const journalEndpoints = (operator: Operator): readonly Endpoint[] => {
  const { home } = operator.daemon;
  return [
    endpoint({
      route: 'GET /api/journal',
      auth: 'viewer',
      summary: 'Entries, the newest first',
      query: pageQuery,
      responses: { 200: { description: 'A page of entries', body: journalPageCodec } },
      handle: async ({ query }) => json(200, withConfig(operator.daemon, await entryPage(home, query))),
    }),
    endpoint({
      route: 'GET /api/journal/entries/{sequence}',
      auth: 'viewer',
      summary: 'An entry with its document',
      params: entryParams,
      responses: {
        200: { description: 'The entry', body: entryDetailCodec },
        404: problem('The journal is not that long'),
      },
      handle: ({ params }) => json(200, entryDetail(home, params.sequence)),
    }),
    endpoint({
      route: 'GET /api/journal/checkpoint',
      auth: 'viewer',
      agent: 'any',
      summary: 'The newest signed checkpoint',
      responses: { 200: { description: 'The checkpoint', body: checkpointCodec } },
      handle: () => json(200, checkpointNow(home)),
    }),
    endpoint({
      route: 'GET /api/journal/proof',
      auth: 'viewer',
      agent: 'any',
      summary: 'A proof that an entry is in the log (sequence), or that the log only grew since it had a size (from)',
      query: proofQuery,
      responses: {
        200: { description: 'The proof under the newest checkpoint', body: proofCodec },
        404: problem('The journal is not that long'),
      },
      handle: ({ query: { sequence: at, from } }) => {
        if (at !== undefined && from === undefined) return json(200, inclusion(home, at));
        if (from === undefined || at !== undefined) throw new RefusalError(invalid('', 'name either sequence or from'));
        return json(200, consistency(home, from));
      },
    }),
    feedEndpoint(operator),
  ];
};

const feedEndpoint = ({ daemon, streams }: Operator): Endpoint =>
  endpoint({
    route: 'GET /api/events',
    auth: 'viewer',
    summary:
      'The feed: server-sent events `entry`, with the sequence as id, `progress` and `config`; Last-Event-ID or after resumes it',
    query: feedQuery,
    headers: feedHeaders,
    responses: { 200: { description: 'Events, until the client or the daemon ends them', type: event_stream_type } },
    handle: (input) => {
      const from = input.headers['last-event-id'] ?? input.query.after ?? daemon.feed.newest();
      return streams.reply(input, (signal) => streamOf(daemon.feed.follow(from, signal), daemon.configuration));
    },
  });

/** Yields the items, and before them whether config.json is the signed configuration: when it is not, and when that has changed since. */
async function* streamOf(items: AsyncIterable<FeedItem>, configuration: () => ConfigStatus): AsyncIterable<StreamItem> {
  let wasValid = true;
  const news = (): readonly StreamItem[] => {
    const config = configuration();
    if (config.valid === wasValid) return [];
    wasValid = config.valid;
    return [{ id: null, event: 'config', data: config }];
  };
  yield* news();
  for await (const item of items) {
    yield* news();
    yield itemOf(item);
  }
}

function itemOf(item: FeedItem): StreamItem {
  if (item.type === 'progress') {
    const { type: event, ...progress } = item;
    const data: FeedProgress = progress;
    return { id: null, event, data };
  }
  const { sequence, time, stream, event: type, mission } = item;
  const data: FeedEntry = { sequence, time, stream, type, mission };
  return { id: sequence, event: 'entry', data };
}
