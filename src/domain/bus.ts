/** The stream of the message bus: how many envelopes it has accepted. */
import { singleStream } from './stream.js';

export interface Bus {
  readonly received: number;
}

/** The name of the stream. */
export const busName = '@bus';

export const busStream = singleStream<Bus, 'bus.'>(busName, {
  noun: 'bus',
  events: ['bus.'],
  evolve: (bus) => ({ received: (bus?.received ?? 0) + 1 }),
});
