/** The home's control state: ready or paused, and which configuration is in force. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { ok, type Result } from '../base/refusal.js';
import type { Documents } from '../codec/event.js';
import { choice, nullable, object, required } from '../codec/kit.js';
import { hash } from '../codec/scalars.js';
import { singleStream, type EventIn } from './stream.js';

export const controlCodec = object('ControlRow', {
  state: required(nullable(choice('ready', 'paused'))),
  config_hash: required(nullable(hash)),
  /** Blob that holds the configuration's text. */
  config_blob: required(nullable(hash)),
});
export type Control = t.TypeOf<typeof controlCodec>;

type ControlSelector = 'control.' | 'journal.restored' | 'reference.control';
export type ControlEvent = EventIn<ControlSelector>;

/** The name of the stream for events that concern the whole home. */
export const controlName = '@control';

/** The state before the journal's first entry. */
export const initialControl: Control = { state: null, config_hash: null, config_blob: null };

export type ControlCommand =
  | { readonly type: 'initialise'; readonly config_hash: string; readonly config_blob: string }
  | { readonly type: 'pause'; readonly actor: string }
  | { readonly type: 'resume'; readonly actor: string }
  | ({ readonly type: 'configure' } & Omit<Documents['control.configured'], 'state' | 'erased'>)
  | ({ readonly type: 'accept_rollback' } & Omit<Documents['control.rollback_accepted'], 'state'>)
  | ({ readonly type: 'restore' } & Omit<Documents['journal.restored'], 'state'>);

export const controlStream = singleStream<Control, ControlSelector>(controlName, {
  noun: 'control',
  events: ['control.', 'journal.restored', 'reference.control'],
  evolve: (control, event) => evolveControl(control ?? initialControl, event),
  isWhole: saysConfiguration,
});

/** Returns whether an event determines the configuration. A restore names one only when no earlier entry holds its text. */
function saysConfiguration({ type, document }: ControlEvent): boolean {
  if (type === 'journal.restored') return document.config_hash !== undefined && document.config_blob !== undefined;
  return type === 'control.initialised' || type === 'control.configured' || type === 'reference.control';
}

function evolveControl(control: Control, { type, document }: ControlEvent): Control {
  switch (type) {
    case 'control.initialised':
    case 'control.configured':
      return { state: document.state, config_hash: document.config_hash, config_blob: document.config_blob ?? null };
    case 'control.paused':
    case 'control.resumed':
    case 'control.rollback_accepted':
      return { ...control, state: document.state };
    case 'journal.restored': {
      const { config_hash = control.config_hash, config_blob = control.config_blob } = document;
      return { state: document.state, config_hash, config_blob };
    }
    case 'control.witness_added':
    case 'control.notice_failed':
      return control;
    case 'reference.control':
      return { state: document.state, config_hash: document.config_hash, config_blob: null };
  }
}

export function decideControl(control: Control, command: ControlCommand): Result<readonly ControlEvent[]> {
  switch (command.type) {
    case 'initialise': {
      if (control.state !== null) return E.left({ code: 'exists', detail: 'the journal is initialised already' });
      const { type: _, ...document } = command;
      return ok([{ type: 'control.initialised', document: { state: 'ready', ...document } }]);
    }
    case 'pause':
      return control.state === 'paused'
        ? E.right([])
        : ok([{ type: 'control.paused', document: { state: 'paused', actor: command.actor } }]);
    case 'resume':
      return control.state === 'ready'
        ? E.right([])
        : ok([{ type: 'control.resumed', document: { state: 'ready', actor: command.actor } }]);
    case 'configure': {
      if (control.state !== 'paused') {
        return E.left({
          code: 'not_paused',
          detail: 'the configuration is changed only while the agent is paused',
          hint: 'agent-cli pause',
        });
      }
      const { actor, config_hash, config_blob, changed } = command;
      const erased = control.config_blob === null ? [] : [control.config_blob];
      const document = { state: 'paused', actor, config_hash, config_blob, changed, erased } as const;
      return ok([{ type: 'control.configured', document }]);
    }
    case 'accept_rollback': {
      const { type: _, ...document } = command;
      return ok([{ type: 'control.rollback_accepted', document: { state: 'paused', ...document } }]);
    }
    case 'restore': {
      const { type: _, ...document } = command;
      return ok([{ type: 'journal.restored', document: { state: 'paused', ...document } }]);
    }
  }
}
