/** Control: state by command, each command twice, and what an event makes of the state. */
import assert from 'node:assert/strict';
import { isRefused } from '../../src/base/refusal.js';
import type { Event, EventType } from '../../src/codec/event.js';
import { agentStream, placedOn, type Stream } from '../../src/domain/stream.js';
import {
  type Control,
  type ControlCommand,
  type ControlEvent,
  controlStream,
  decideControl,
  initialControl,
} from '../../src/domain/control.js';
import { invoiceStream, receiptStream } from '../../src/domain/invoice.js';
import { missionStream } from '../../src/domain/mission.js';
import { simulationStream } from '../../src/domain/simulation.js';
import { sweepStream } from '../../src/domain/sweep.js';
import { tokenStream } from '../../src/domain/token.js';
import { toolStream } from '../../src/domain/tool.js';
import { walletStream } from '../../src/domain/wallet.js';
import { witnessStream } from '../../src/domain/witness.js';
import { approverStream } from '../../src/domain/approver.js';
import { workerStream } from '../../src/domain/worker-key.js';
import { documents, event, hex } from '../support/codec/given-events.js';
import { id as mission } from '../support/domain/given-mission.js';
import { assertNone } from '../support/lists.js';

const at = { id: '@control', sequence: 1, time: '2026-11-20T05:00:00.000000Z' };
const after = (events: readonly ControlEvent[]): Control =>
  events.reduce((control, next) => controlStream.evolve(control, next, at) ?? control, initialControl);

const initialised = event('control.initialised');
const histories = {
  'without a beginning': [],
  ready: [initialised],
  paused: [initialised, event('control.paused')],
  resumed: [initialised, event('control.paused'), event('control.resumed')],
  configured: [initialised, event('control.paused'), event('control.configured', { config_blob: hex('7') })],
  'after an accepted rollback': [initialised, event('control.rollback_accepted')],
} as const satisfies Readonly<Record<string, readonly ControlEvent[]>>;
type Name = keyof typeof histories;

const { state: _, ...rollback } = documents['control.rollback_accepted'];
const commands = {
  initialise: { type: 'initialise', config_hash: hex('c'), config_blob: hex('d') },
  pause: { type: 'pause', actor: 'operator' },
  resume: { type: 'resume', actor: 'operator' },
  configure: { type: 'configure', actor: 'operator', config_hash: hex('1'), config_blob: hex('2'), changed: ['name'] },
  accept_rollback: { type: 'accept_rollback', ...rollback },
} as const satisfies Readonly<Record<string, ControlCommand>>;
type CommandName = keyof typeof commands;

function outcome(events: readonly ControlEvent[], command: ControlCommand): readonly ControlEvent[] | string {
  const decided = decideControl(after(events), command);
  return isRefused(decided) ? decided.left.code : decided.right;
}

const typesOf = (decided: readonly ControlEvent[] | string): unknown =>
  typeof decided === 'string' ? decided : decided.map(({ type }) => type);

/** Rows: initialise, pause, resume, configure. An accepted rollback is recorded in every state. */
const expected: Readonly<Record<Name, readonly [unknown, unknown, unknown, unknown]>> = {
  'without a beginning': [['control.initialised'], ['control.paused'], ['control.resumed'], 'not_paused'],
  ready: ['exists', ['control.paused'], [], 'not_paused'],
  resumed: ['exists', ['control.paused'], [], 'not_paused'],
  paused: ['exists', [], ['control.resumed'], ['control.configured']],
  configured: ['exists', [], ['control.resumed'], ['control.configured']],
  'after an accepted rollback': ['exists', [], ['control.resumed'], ['control.configured']],
};

describe('control decider', () => {
  for (const name of Object.keys(histories) as Name[]) {
    it(`decides every command on ${name}`, () => {
      const of = (command: CommandName): unknown => typesOf(outcome(histories[name], commands[command]));
      assert.deepEqual([of('initialise'), of('pause'), of('resume'), of('configure')], expected[name]);
      assert.deepEqual(of('accept_rollback'), ['control.rollback_accepted']);
    });
  }

  it('states follow: ready, paused, ready, paused with another configuration, paused after a rollback', () => {
    const states = Object.values(histories).map((events) => after(events).state);
    assert.deepEqual(states, [null, 'ready', 'paused', 'ready', 'paused', 'paused']);
    assert.deepEqual(after(histories.configured), { state: 'paused', config_hash: hex('c'), config_blob: hex('7') });
    assert.equal(after(histories.resumed).config_blob, hex('d'));
  });

  it('erases the text of the previous configuration once', () => {
    const [first] = outcome(histories.paused, commands.configure) as readonly ControlEvent[];
    assert.ok(first?.type === 'control.configured');
    assert.deepEqual(first.document, { ...first.document, state: 'paused', erased: [hex('d')], config_blob: hex('2') });
    const [second] = outcome([...histories.paused, first], commands.configure) as readonly ControlEvent[];
    assert.deepEqual(second?.type === 'control.configured' && second.document.erased, [hex('2')]);
  });

  it("reads the reference's control state without a text", () => {
    const seen = after([event('reference.control', { state: 'paused' })]);
    assert.deepEqual(seen, { state: 'paused', config_hash: hex('c'), config_blob: null });
    const configured = outcome([event('reference.control', { state: 'paused' })], commands.configure) as readonly ControlEvent[];
    assert.deepEqual(configured[0]?.type === 'control.configured' && configured[0].document.erased, []);
  });
});

type Named = Pick<Stream<unknown, Event>, 'noun' | 'prefix' | 'nameOf' | 'idOf'> & {
  readonly isEvent: (event: Event) => boolean;
};
const all: readonly Named[] = [
  agentStream,
  approverStream,
  controlStream,
  invoiceStream,
  missionStream,
  receiptStream,
  simulationStream,
  sweepStream,
  tokenStream,
  workerStream,
  toolStream,
  walletStream,
  witnessStream,
];
const ids: Readonly<Record<string, string>> = {
  agent: 'safety',
  control: '@control',
  witness: '@control',
  mission,
  run: '0123456789abcdef',
  sweep: 'fedcba9876543210',
  token: 'ci',
  approver: 'alice',
  "worker's key": 'a0'.repeat(32),
  invoice: mission,
  receipt: '1:0xab:3',
  tool: 'export',
  wallet: '@wallet',
};

describe('streams', () => {
  it('own every event type once, control.witness_added twice, and none of the bus, of which nothing keeps a state', () => {
    const counts: Readonly<Partial<Record<EventType, number>>> = { 'control.witness_added': 2, 'bus.received': 0 };
    for (const type of Object.keys(documents) as EventType[]) {
      const owners = all.filter(({ isEvent }) => isEvent(event(type))).map(({ noun }) => noun);
      assert.equal(owners.length, counts[type] ?? 1, `${type}: ${owners.join()}`);
    }
  });

  it('read an id back from its name, and from no other declaration', () => {
    for (const { noun, nameOf } of all) {
      const name = nameOf(ids[noun] ?? '');
      const owners = all.filter(({ idOf }) => idOf(name) !== null);
      assert.deepEqual(
        owners.map(({ idOf }) => idOf(name)),
        owners.map(() => ids[noun]),
      );
      assert.equal(owners.length, name === '@control' ? 2 : 1, name);
    }
    for (const name of ['@controls', '@', '@wallets', 'x@control'])
      assertNone(all, ({ noun, idOf }) => noun !== 'mission' && idOf(name) !== null, name);
  });

  it('own an entry by its name and its event', () => {
    const entry = { sequence: 7, time: 'now' };
    const status = event('tool.status_set');
    const placed = { id: 'export', sequence: 7, time: 'now', event: status };
    assert.deepEqual(placedOn(toolStream, { ...entry, stream: '@tool:export', event: status }), placed);
    assert.equal(placedOn(toolStream, { ...entry, stream: '@control', event: status }), null);
    assert.equal(placedOn(toolStream, { ...entry, stream: '@tool:export', event: event('token.created') }), null);
    assert.equal(placedOn(toolStream, { ...entry, stream: '@tool:export', event: null }), null);
  });

  it('do not own an unknown event', () => {
    const strange = { type: 'tools.made', document: {} } as unknown as Event;
    assertNone(all, ({ isEvent }) => isEvent(strange));
  });
});
