/** The alerts of a daemon, as the operator's HTTP API returns them. */
import type * as t from 'io-ts';
import { alerts_kept_max } from '../base/limits.js';
import { choice, flag, list, object, required, text } from './kit.js';
import { sequence, time } from './scalars.js';

export const alertTypes = [
  'agent_restarted',
  'mission_interrupted',
  'run_failed',
  'responses_refused',
  'journal_failed',
  'config_failed',
  'disk_low',
  'notice_failed',
] as const;
export type AlertType = (typeof alertTypes)[number];

const alert = object('Alert', {
  type: required(choice(...alertTypes)),
  text: required(text()),
  time: required(time),
  /** How often it was raised until the next one of the same kind is sent. */
  count: required(sequence),
  /** `shown` where there is no webhook, `dropped` where too many were waiting. */
  delivery: required(choice('shown', 'waiting', 'sent', 'failed', 'dropped')),
});
export type Alert = t.TypeOf<typeof alert>;

export const alertsCodec = object('Alerts', {
  /** Whether there is a webhook, to which alerts are sent. */
  webhook: required(flag),
  /** The newest first. */
  items: required(list(alert, 0, alerts_kept_max)),
});
export type Alerts = t.TypeOf<typeof alertsCodec>;
