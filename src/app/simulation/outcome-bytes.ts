/** An outcome's members as bytes that threads pass on without a copy. */
import type { OutcomeParts } from './outcome-parts.js';

export type BytesParts = OutcomeParts<Uint8Array<ArrayBuffer>>;

const encoder = new TextEncoder();

/** Returns the members as UTF-8, each in memory of its own. */
export const bytesOf = ({ engine, forecast, found, population, asked }: OutcomeParts): BytesParts => ({
  engine: encoder.encode(engine),
  forecast: encoder.encode(forecast),
  found: encoder.encode(found),
  population: encoder.encode(population),
  asked: encoder.encode(asked),
});

/** Returns the memory of the members, to be handed over with a message. */
export const memoryOf = (parts: BytesParts): ArrayBuffer[] => [
  ...new Set([parts.engine, parts.forecast, parts.found, parts.population, parts.asked].map(({ buffer }) => buffer)),
];
