/**
 * One server's policy: who may do what, the order in which a request is checked, and the header fields of its responses. The core
 * calls it; each server has one.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { Exchange, Head } from './exchange.js';
import type { Later } from './later.js';
import type { MetricNames } from './metrics.js';
import type { Route, Routes } from './routes.js';
import type { Settings } from './settings.js';

/** An accepted request: the endpoint that it leads to, and its body, or null without one. */
export interface Judged {
  readonly route: Route;
  readonly body: Buffer | null;
}

/** Accepts a request, or throws a denial. Returns null when 204 with the fields that it set is the whole response. */
export type Judge = (exchange: Exchange, context: Context, find: Routes['find']) => Later<Judged | null>;

export interface Policy {
  /** Reads and checks the head of a request, once it is complete. */
  readonly readHead: (request: IncomingMessage) => Head;
  readonly judge: Judge;
  /** Whom limits that one client may not exceed are counted for. */
  readonly clientOf: (exchange: Exchange) => string;
  /** Whether the client of an event stream may still read it. */
  readonly mayRead: (exchange: Exchange) => boolean;
  readonly metricNames: MetricNames;
  /** Called with the status of every response. */
  readonly onAnswered: (status: number) => void;
}

export type PolicyOf = (settings: Settings) => Policy;
