/**
 * One server's policy: who may do what, in which order a request is judged, and which header fields its answers carry. The core calls it;
 * each server has one.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { Exchange, Head } from './exchange.js';
import type { Later } from './later.js';
import type { MetricNames } from './metrics.js';
import type { Route, Routes } from './routes.js';
import type { Settings } from './settings.js';

/** A request that may go on: where it leads, and its body, or null without one. */
export interface Judged {
  readonly route: Route;
  readonly body: Buffer | null;
}

/** Decides whether a request may go on, and throws a denial if not. Returns null when 204 with the fields that it set is the whole answer. */
export type Judge = (exchange: Exchange, context: Context, find: Routes['find']) => Later<Judged | null>;

export interface Policy {
  /** Reads and judges the head of a request, once it is complete. */
  readonly readHead: (request: IncomingMessage) => Head;
  readonly judge: Judge;
  /** Whether the client of an event stream may still read it. */
  readonly mayRead: (exchange: Exchange) => boolean;
  readonly metricNames: MetricNames;
  /** Called with the status of every answer. */
  readonly onAnswered: (status: number) => void;
}

export type PolicyOf = (settings: Settings) => Policy;
