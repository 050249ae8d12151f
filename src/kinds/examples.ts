/** An example mission of each kind, as `agent-cli examples` writes it. */
import type { Kind } from '../codec/kinds.js';
import { allocationExample } from './allocation/example.js';
import { codeExample } from './code/example.js';
import { forecastExample } from './forecast/example.js';
import type { Example } from './example.js';
import { researchExample } from './research/example.js';
import { scheduleExample } from './schedule/example.js';

export const examples: { readonly [K in Kind]: Example<K> } = {
  research: researchExample,
  allocation: allocationExample,
  schedule: scheduleExample,
  forecast: forecastExample,
  code: codeExample,
};

/** Returns the file of an example, ready to be edited. */
export const exampleText = (kind: Kind): string => `${JSON.stringify(examples[kind], null, 2)}\n`;
