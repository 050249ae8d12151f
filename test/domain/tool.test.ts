/** Tools: given what happened, when a status is set or a manifest imported, then exactly these events or this refusal. */
import assert from 'node:assert/strict';
import { isRefused, type Result } from '../../src/base/refusal.js';
import { toolStatuses, type ToolStatus } from '../../src/codec/tool-manifest.js';
import {
  decideImport,
  decideStatus,
  isToolId,
  toolStream,
  type KnownTool,
  type Tool,
  type ToolEvent,
} from '../../src/domain/tool.js';
import { gateOf, ownToolIds } from '../../src/domain/tool-catalog.js';
import { givenManifest, moves } from '../support/app/given-tools.js';

const at = (sequence: number): string => `2026-11-20T05:00:0${sequence}.000000Z`;
const after = (events: readonly ToolEvent[], id = 'mail_send'): Tool | null =>
  events.reduce<Tool | null>((tool, event, i) => toolStream.evolve(tool, event, { id, sequence: i + 1, time: at(i) }), null);

const imported = (changes: Parameters<typeof givenManifest>[0] = {}, status: ToolStatus = 'active'): ToolEvent => ({
  type: 'tool.imported',
  document: { manifest: givenManifest(changes), status, actor: 'operator' },
});
const set = (from: ToolStatus, to: ToolStatus, note = 'why'): ToolEvent => ({
  type: 'tool.status_set',
  document: { from, to, note, actor: 'operator' },
});
const standing = (status: ToolStatus): KnownTool => ({ status, manifest: givenManifest() });

const outcome = (result: Result<readonly ToolEvent[]>): unknown =>
  isRefused(result) ? `${result.left.code}: ${result.left.errors?.[0]?.path ?? ''}` : result.right;

describe('a tool: status', () => {
  for (const from of toolStatuses) {
    it(`decides every move from ${from}, allowed or not`, () => {
      for (const to of toolStatuses) {
        const decided = outcome(decideStatus('mail_send', standing(from), to, 'why', 'operator'));
        assert.deepEqual(decided, moves[from].includes(to) ? [set(from, to)] : 'wrong_state: ', `${from} to ${to}`);
      }
    });
  }

  it('refuses a missing tool as not found', () => {
    assert.equal(outcome(decideStatus('mail_send', null, 'active', 'why', 'operator')), 'not_found: ');
    assert.equal(outcome(decideStatus('../x', null, 'active', 'why', 'operator')), 'not_found: ');
  });
});

describe('a tool: import', () => {
  const again = (tool: KnownTool | null, changes: Parameters<typeof givenManifest>[0] = {}): unknown =>
    outcome(decideImport(tool, givenManifest(changes), 'operator'));

  it('gives a new tool the status of its manifest', () => {
    for (const status of toolStatuses) assert.deepEqual(again(null, { status }), [imported({ status }, status)]);
  });

  it('requires another version for another manifest, and keeps the status', () => {
    assert.equal(again(standing('active'), { owner: 'other' }), 'conflict: tool_version');
    for (const status of toolStatuses) {
      assert.deepEqual(again(standing(status), { tool_version: '2', status: 'active' }), [
        imported({ tool_version: '2', status: 'active' }, status),
      ]);
    }
  });

  it('refuses an id that cannot be a stream', () => {
    const bad = ['', '.', '-x', '_x', 'a b', 'a/b', '../a', 'a:b', 'é', 'ｔool', 'a\u0000', 'a\n', 'x'.repeat(129), '@a'];
    for (const tool_id of bad) {
      assert.equal(isToolId(tool_id), false, tool_id);
      assert.equal(again(null, { tool_id }), 'invalid: tool_id', tool_id);
    }
    for (const tool_id of ['a', 'A-1', 'x.y_z', 'x'.repeat(128), 'constructor', '__'.padStart(3, 'a')]) {
      assert.deepEqual(again(null, { tool_id }), [imported({ tool_id })], tool_id);
    }
  });

  it('refuses one of ours that requires an approval unless a gate exists for it', () => {
    for (const tool_id of ownToolIds) {
      const asked = { tool_id, tool_version: '9', approval_required_for: ['write'] } as const;
      const expected = gateOf(tool_id) === null ? 'invalid: approval_required_for' : [imported(asked)];
      assert.deepEqual(again(null, asked), expected, tool_id);
      assert.deepEqual(again(null, { ...asked, approval_required_for: [] }), [imported({ ...asked, approval_required_for: [] })]);
    }
    assert.deepEqual(
      ownToolIds.filter((id) => gateOf(id) === 'review'),
      ['export', 'invoice', 'settle', 'ascension_deliver'],
    );
    assert.deepEqual(
      ownToolIds.filter((id) => gateOf(id) === 'configuration'),
      ['mission_code', 'provider_call', 'container_run', 'chain_read'],
    );
  });
});

describe('a tool: the state after its events', () => {
  it('has the newest manifest, status and note', () => {
    const events = [imported(), set('active', 'quarantined', 'odd'), imported({ tool_version: '2' }, 'quarantined')];
    assert.deepEqual(after(events.slice(0, 1)), {
      id: 'mail_send',
      status: 'active',
      manifest: givenManifest(),
      note: null,
      revision: 1,
      updated_at: at(0),
    });
    assert.deepEqual(after(events), {
      id: 'mail_send',
      status: 'quarantined',
      manifest: givenManifest({ tool_version: '2' }),
      note: 'odd',
      revision: 3,
      updated_at: at(2),
    });
  });

  it('leaves the manifest to the program after a status without an import', () => {
    assert.equal(after([set('active', 'disabled')], 'export')?.manifest, null);
  });
});
