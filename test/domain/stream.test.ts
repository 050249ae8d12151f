/** Streams: how they are named, which events belong to them, and that every event type belongs to one. */
import assert from 'node:assert/strict';
import type { Event, EventType } from '../../src/codec/event.js';
import { agentStream } from '../../src/domain/agent.js';
import { busStream } from '../../src/domain/bus.js';
import { controlStream } from '../../src/domain/control.js';
import { missionStream } from '../../src/domain/mission-evolve.js';
import { simulationStream } from '../../src/domain/simulation.js';
import { placedOn, type Stream } from '../../src/domain/stream.js';
import { tokenStream } from '../../src/domain/token.js';
import { workerStream } from '../../src/domain/worker-key.js';
import { toolStream } from '../../src/domain/tool.js';
import { invoiceStream } from '../../src/domain/invoice.js';
import { receiptStream } from '../../src/domain/receipt.js';
import { walletStream } from '../../src/domain/wallet.js';
import { witnessStream } from '../../src/domain/witness.js';
import { documents, event } from '../support/given-events.js';
import { id as mission } from '../support/given-mission.js';

type Named = Pick<Stream<unknown, Event>, 'noun' | 'prefix' | 'nameOf' | 'idOf'> & {
  readonly isEvent: (event: Event) => boolean;
};
const all: readonly Named[] = [
  agentStream,
  busStream,
  controlStream,
  invoiceStream,
  missionStream,
  receiptStream,
  simulationStream,
  tokenStream,
  workerStream,
  toolStream,
  walletStream,
  witnessStream,
];
const ids: Readonly<Record<string, string>> = {
  agent: 'safety',
  bus: '@bus',
  control: '@control',
  witness: '@control',
  mission,
  run: '0123456789abcdef',
  token: 'ci',
  "worker's key": 'a0'.repeat(32),
  invoice: mission,
  receipt: '1:0xab:3',
  tool: 'export',
  wallet: '@wallet',
};

describe('streams', () => {
  it('own every event type once, and control.witness_added twice', () => {
    for (const type of Object.keys(documents) as EventType[]) {
      const owners = all.filter(({ isEvent }) => isEvent(event(type))).map(({ noun }) => noun);
      assert.deepEqual(owners.length, type === 'control.witness_added' ? 2 : 1, `${type}: ${owners.join()}`);
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
      assert.deepEqual(
        all.filter(({ noun, idOf }) => noun !== 'mission' && idOf(name) !== null),
        [],
        name,
      );
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
    assert.deepEqual(
      all.filter(({ isEvent }) => isEvent(strange)),
      [],
    );
  });
});
