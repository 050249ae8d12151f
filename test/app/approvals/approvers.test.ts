/** Approvers and their keys: who may be added, and what a key can never do again. */
import assert from 'node:assert/strict';
import {
  addApproverKey,
  type GivenKey,
  listApprovers,
  removeApprover,
  showApprover,
} from '../../../src/app/approvals/approvers.js';
import type { Home } from '../../../src/app/home/home.js';
import type { RefusalCode } from '../../../src/base/refusal.js';
import { rejectsRefusal } from '../../support/app/given-home.js';
import { temporaryHome, type TemporaryHome } from '../../support/app/temporary-home.js';
import { passkey } from '../../support/base/passkeys.js';
import { approverKey } from '../../support/codec/given-events.js';

const actor = 'operator';
const ssh: GivenKey = { kind: 'ssh', key: `${approverKey} alice@laptop\n` };

describe('approvers', () => {
  let homes: TemporaryHome;
  let home: Home;
  beforeEach(() => {
    homes = temporaryHome();
    home = homes.open();
  });
  afterEach(() => {
    home.close();
    homes.remove();
  });
  const add = (name: string, key: GivenKey, title: string | null = null) => addApproverKey(home, { name, title, actor }, key);
  const refused = async (attempt: Promise<unknown>, code: RefusalCode): Promise<void> => {
    const before = home.writer.head.size;
    await rejectsRefusal(attempt, code);
    assert.equal(home.writer.head.size, before);
  };

  it('have keys of both kinds, without the comment of their files', async () => {
    await add('alice', ssh, 'Head of procurement');
    const { pem } = passkey();
    const { keys, title } = await add('alice', { kind: 'passkey', key: pem, credential: 'AQID' });
    assert.equal(title, 'Head of procurement');
    assert.deepEqual(
      keys.map(({ kind, key, credential }) => [kind, key, credential]),
      [
        ['ssh', approverKey, undefined],
        ['passkey', pem, 'AQID'],
      ],
    );
    assert.deepEqual(listApprovers(home).items, [showApprover(home, 'alice')]);
  });

  it('lose keys, with a reason; a key stays that of its first holder for ever', async () => {
    const [key] = (await add('alice', ssh)).keys;
    assert.ok(key);
    await refused(add('alice', ssh), 'exists');
    await refused(add('bob', ssh), 'exists');
    const remove = (fingerprint: string | null, reason = 'lost') =>
      removeApprover(home, { name: 'alice', fingerprint, reason, actor });
    await refused(remove(key.fingerprint, ' '), 'invalid');
    await refused(remove(`SHA256:${'A'.repeat(43)}`), 'not_found');
    const [removed] = (await remove(key.fingerprint)).keys;
    assert.equal(removed?.reason, 'lost');
    assert.notEqual(removed?.removed_at, null);
    await refused(remove(key.fingerprint), 'not_found');
    await refused(add('alice', ssh), 'exists');
    await refused(add('bob', ssh), 'exists');
  });

  it('can be removed whole and come back with another key', async () => {
    await add('alice', ssh);
    const removal = { name: 'alice', fingerprint: null, reason: 'left', actor };
    assert.equal((await removeApprover(home, removal)).state, 'removed');
    await refused(removeApprover(home, removal), 'wrong_state');
    await refused(removeApprover(home, { ...removal, name: 'bob' }), 'not_found');
    const { state, keys } = await add('alice', { kind: 'passkey', key: passkey().pem });
    assert.equal(state, 'active');
    assert.deepEqual(
      keys.map(({ removed_at }) => removed_at === null),
      [false, true],
    );
  });

  it('are refused by name, title and key', async () => {
    for (const name of ['operator', 'API', 'a b', '', 'x'.repeat(65), '@x']) await refused(add(name, ssh), 'invalid');
    for (const title of ['', ' ', 'x'.repeat(201), '\ud800']) await refused(add('alice', ssh, title), 'invalid');
    for (const key of ['', 'ssh-dss AAAA', approverKey.replace('ssh-ed25519 ', ''), `${approverKey}\n${approverKey}`])
      await refused(add('alice', { kind: 'ssh', key }), 'invalid');
    await refused(add('alice', { kind: 'passkey', key: approverKey }), 'invalid');
  });
});
