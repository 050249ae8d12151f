/**
 * The tools of this program, and for each the gate where a person approves its use: the mission's approved review, or the
 * configuration that the operator signed. The manifest of a kind's tool is declared with the kind, the others are in
 * `manifests/<id>.json`.
 */
import type { Kind } from '../codec/kinds.js';

/** The approval that a tool's use requires; null when it requires none. */
export type Gate = 'review' | 'configuration' | null;

export const ownTools = {
  mission_research: null,
  mission_allocation: null,
  mission_schedule: null,
  mission_forecast: null,
  mission_code: 'configuration',
  provider_call: 'configuration',
  container_run: 'configuration',
  export: 'review',
  backup: null,
  publish: null,
  witness_submit: null,
  chain_read: 'configuration',
  wallet_bind: null,
  invoice: 'review',
  settle: 'review',
  transfer_note: null,
  ascension_deliver: 'review',
  tool_import: null,
} as const satisfies Readonly<Record<`mission_${Kind}`, Gate>> & Readonly<Record<string, Gate>>;

export type OwnToolId = keyof typeof ownTools;
export const ownToolIds = Object.keys(ownTools) as readonly OwnToolId[];

export const isOwnTool = (id: string): id is OwnToolId => Object.hasOwn(ownTools, id);
export const gateOf = (id: OwnToolId): Gate => ownTools[id];

/** Returns the tool that executes missions of a kind. */
export const toolOfKind = (kind: Kind): OwnToolId => `mission_${kind}`;
