/** The daemon's feed for one who holds a token: it ends when that token stops working. */
import { builtIn, tokenStream } from '../../domain/token.js';
import type { Daemon } from '../daemon/daemon.js';
import type { FeedItem } from '../daemon/feed-item.js';

const ends = new Set(['token.revoked', 'token.rotated']);

/**
 * Items after a sequence, as `feed.follow` answers them.
 * @param token the name of the token; a file api.token that was replaced by hand is not noticed before the next request
 */
export async function* followWhileAllowed(
  { feed }: Pick<Daemon, 'feed'>,
  token: string,
  after: number,
  signal: AbortSignal,
): AsyncIterable<FeedItem> {
  const stream = tokenStream(token);
  // Older entries may tell of a token of the same name.
  const begun = feed.newest();
  for await (const item of feed.follow(after, signal)) {
    yield item;
    if (item.type === 'entry' && item.sequence > begun && item.stream === stream && ends.has(item.event)) return;
  }
}

/** Whoever holds api.token acts as on the command line. */
const commandLine = 'operator';

export const actorOfToken = (name: string): string => (name === builtIn.name ? commandLine : name);
export const tokenOfActor = (name: string): string => (name === commandLine ? builtIn.name : name);
