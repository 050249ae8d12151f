/** In what a server differs from the operator's, whose rules hold where none are given. */
import type { IncomingMessage } from 'node:http';
import type { Judge } from './boundary.js';
import type { Head } from './exchange.js';
import type { MetricNames } from './metrics.js';
import type { Settings } from './settings.js';

export interface Rules {
  readonly readHead: (request: IncomingMessage, settings: Settings) => Head;
  readonly judge: (settings: Settings) => Judge;
  readonly metricNames: MetricNames;
  /** Hears the status of every answer. */
  readonly onAnswered: (status: number) => void;
}
