/** Approvals signed by people, and their keys: what completes a mission, what is refused with which code, and that a refusal records nothing. */
import assert from 'node:assert/strict';
import {
  addApproverKey,
  type GivenKey,
  listApprovers,
  removeApprover,
  showApprover,
} from '../../../src/app/approvals/approvers.js';
import { approvalPolicyOf } from '../../../src/app/home/config.js';
import { homeVia } from '../../../src/app/home/via.js';
import type { Home } from '../../../src/app/home/home.js';
import { listPage, recoverMission, showMission } from '../../../src/app/missions/missions.js';
import { approveSigned, reviewMission, reviewSubject } from '../../../src/app/missions/review.js';
import { submitMission } from '../../../src/app/missions/submit.js';
import { inspectHome } from '../../../src/app/operator/doctor.js';
import { createToken } from '../../../src/app/tokens/change.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { type RefusalCode, unwrap } from '../../../src/base/refusal.js';
import { decode } from '../../../src/codec/kit.js';
import { missionRequest } from '../../../src/kinds/request.js';
import { passkey } from '../../support/base/passkeys.js';
import { approve, person, type Person, signedBy, subjectFor, submitSigned } from '../../support/app/given-approvals.js';
import {
  actor,
  apply,
  execute,
  fakeEngine,
  forecast,
  produced,
  rejectsRefusal,
  review,
  throwsRefusal,
} from '../../support/app/given-home.js';
import { resume } from '../../../src/app/control/control.js';
import { temporaryHome, type TemporaryHome } from '../../support/app/temporary-home.js';
import { backup, restore, worldBeside } from '../backup/archives.js';
import { openHome } from '../../../src/app/home/open.js';
import { exportText, requireApprovals } from '../../../src/app/exports/export.js';
import { verdictOf } from '../../support/app/given-export.js';
import { tamper } from '../../support/app/mixed-home.js';
import { approverKey } from '../../support/codec/given-events.js';

let homes: TemporaryHome;
let home: Home;
const opened = (): void => {
  beforeEach(() => {
    homes = temporaryHome();
    home = homes.open();
  });
  afterEach(() => {
    home.close();
    homes.remove();
  });
};
const refused = async (attempt: () => Promise<unknown>, code: RefusalCode): Promise<void> => {
  const before = home.writer.head.size;
  await rejectsRefusal(attempt(), code);
  assert.equal(home.writer.head.size, before);
};

describe('approvals', () => {
  let alice: Person;
  let bob: Person;
  opened();
  beforeEach(async () => {
    alice = await person(home, 'alice');
    bob = await person(home, 'bob');
  });

  const runEngine = fakeEngine();
  const policy = (approvals: object): Promise<void> => apply(home, { approvals });
  const names = (record: { readonly approvals?: readonly { readonly approver: string }[] }): readonly string[] =>
    (record.approvals ?? []).map(({ approver }) => approver);

  it('are not called for by default, and say what they are worth without a signature', async () => {
    const { approvals, approvals_required, unsigned } = await review(home, await produced(home), { runEngine });
    assert.deepEqual([approvals, approvals_required], [undefined, undefined]);
    assert.equal(unsigned, "recorded by the home for operator, not signed by a person's key");
  });

  it('can be given where none is called for, under the name of the person', async () => {
    const mission = await produced(home);
    assert.equal(mission.unsigned, undefined);
    const done = await approve(home, mission, alice, 'as planned');
    assert.equal(done.state, 'completed');
    assert.deepEqual(
      [done.review?.actor, done.review?.note, done.unsigned, names(done), done.approvals_required],
      ['alice', 'as planned', undefined, ['alice'], 0],
    );
  });

  it('are counted: the last one completes the mission in its commit, with all of them', async () => {
    await policy({ required: 2 });
    const mission = await produced(home);
    assert.equal(mission.approvals_required, 2);
    await refused(() => review(home, mission, { runEngine }), 'approvals_required');
    const first = await approve(home, mission, alice);
    assert.deepEqual([first.state, first.revision, names(first)], ['review', mission.revision, ['alice']]);
    await refused(() => review(home, first, { runEngine }), 'approvals_required');
    await refused(() => approve(home, mission, alice), 'already_approved');
    const size = home.writer.head.size;
    const done = await approve(home, mission, bob);
    assert.deepEqual([done.state, names(done), done.approvals_required], ['completed', ['alice', 'bob'], 2]);
    assert.equal(home.writer.head.size, size + 2);
    await refused(async () => submitSigned(home, mission, signedBy(bob, first.id)), 'invalid');
  });

  it('are not left out where the text of the configuration is lost', async () => {
    await policy({ required: 2 });
    tamper(homes, 'PRAGMA foreign_keys = OFF; DELETE FROM blob WHERE hash = (SELECT config_blob FROM control)');
    // The process has read another configuration since.
    const other = temporaryHome();
    other.with((opened) => opened.config());
    other.remove();
    throwsRefusal(() => approvalPolicyOf(home.db), 'integrity');
  });

  it('keep the place of a mission in lists', async () => {
    await policy({ required: 2 });
    const [one, two, three] = [await produced(home), await produced(home), await produced(home)];
    await approve(home, one, alice);
    const ids: string[] = [];
    for (let cursor: string | undefined; ids.length < 9; ) {
      const { items, next_cursor } = listPage(home, { limit: 1, cursor });
      ids.push(...items.map(({ id }) => id));
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    assert.deepEqual(ids, [one.id, three.id, two.id]);
  });

  it('end with a rejection, which needs no signature, and do not survive a recovery', async () => {
    await policy({ required: 2 });
    const mission = await produced(home);
    await approve(home, mission, alice);
    const rejected = await review(home, mission, { approve: false, runEngine });
    assert.equal(rejected.state, 'rejected');
    await refused(() => approve(home, mission, bob), 'wrong_state');
    await rejectsRefusal(recoverMission(home, mission.id, actor), 'wrong_state');
  });

  it('are refused for what is not in the home', async () => {
    const mission = await produced(home);
    const subject = subjectFor(home, mission, alice);
    const other = await produced(home, forecast('another'));
    const later = '2026-11-20T06:00:00.000000Z';
    const cases: readonly (readonly [object, RefusalCode])[] = [
      [{ approver: 'carol' }, 'approver_unknown'],
      [{ key: `SHA256:${'A'.repeat(43)}` }, 'key_unknown'],
      [{ approver: 'bob' }, 'key_unknown'],
      [{ mission: other.id }, 'subject_mismatch'],
      [{ kind: 'schedule' }, 'subject_mismatch'],
      [{ request_hash: 'a'.repeat(64) }, 'subject_mismatch'],
      [{ revision: mission.revision + 1 }, 'stale_revision'],
      [{ result_hash: 'a'.repeat(64) }, 'hash_mismatch'],
      [{ origin: 'agent-journal/0000000000000000' }, 'subject_mismatch'],
      [{ identity: 'urn:agialpha:ed25519:00' }, 'subject_mismatch'],
      [{ at: later }, 'subject_expired'],
      [{ at: '2026-11-20T04:00:00.000000Z' }, 'subject_expired'],
      [{ at: '2026-11-20 05:00:00Z' }, 'invalid'],
      [{ decision: 'reject' }, 'invalid'],
      [{ schema: 'agent-cli-approval/2' }, 'invalid'],
      [{ more: 1 }, 'invalid'],
      [{ revision: '1' }, 'invalid'],
      [{ note: '' }, 'invalid'],
    ];
    for (const [changes, code] of cases) {
      const text = canonicalJson({ ...JSON.parse(subject), ...changes });
      await refused(() => submitSigned(home, mission, signedBy(alice, text)), code);
    }
    for (const text of ['', '{}', `${subject}\n`, subject.replace(',', ', '), '[]', 'null'])
      await refused(() => submitSigned(home, mission, signedBy(alice, text)), 'invalid');
  });

  it('are refused for signatures that do not approve', async () => {
    const mission = await produced(home);
    const subject = subjectFor(home, mission, alice);
    const { assertion } = signedBy(alice, subject);
    assert.ok(assertion);
    const wrong = [
      signedBy(bob, subject),
      { subject },
      { subject, assertion: { ...assertion, signature: assertion.client_data } },
      signedBy(alice, subjectFor(home, mission, alice, 'another note')),
    ].map((each) => ({ ...each, subject }));
    for (const signed of wrong) await refused(() => submitSigned(home, mission, signed), 'signature_invalid');
    const { detail } = await rejectsRefusal(submitSigned(home, mission, { subject, signature: 'x' }), 'signature_invalid');
    assert.match(detail, /the key is a passkey, which signs in the console/);
    const bySsh = { note: 'checked', key: alice.fingerprint, isSsh: true };
    assert.match(throwsRefusal(() => reviewSubject(home, mission.id, bySsh), 'invalid').detail, /is a passkey/);
    const elsewhere = { actor, pages: ['https://agent.example'], runEngine };
    await refused(() => approveSigned(home, mission.id, signedBy(alice, subject), elsewhere), 'signature_invalid');
    homes.clock.now += 15 * 60_000 + 1;
    await refused(() => submitSigned(home, mission, signedBy(alice, subject)), 'subject_expired');
  });

  it('are refused for removed keys and people; what a key approved before stays', async () => {
    await policy({ required: 2 });
    const mission = await produced(home);
    const subject = subjectFor(home, mission, bob);
    await approve(home, mission, alice);
    await removeApprover(home, { name: 'bob', fingerprint: bob.fingerprint, reason: 'lost', actor });
    await refused(() => submitSigned(home, mission, signedBy(bob, subject)), 'key_removed');
    throwsRefusal(() => subjectFor(home, mission, bob), 'key_removed');
    await removeApprover(home, { name: 'alice', fingerprint: null, reason: 'left', actor });
    const carol = await person(home, 'carol');
    const done = await approve(home, mission, carol);
    assert.deepEqual([done.state, names(done)], ['completed', ['alice', 'carol']]);
    const removed = (done.approvals ?? []).filter(({ key_removed_at }) => key_removed_at !== undefined);
    assert.deepEqual(names({ approvals: removed }), ['alice']);
    const check = inspectHome(home).checks.find(({ name }) => name === 'approvals');
    assert.deepEqual([check?.status, check?.detail], ['warn', 'approvals.required: is 2, and 1 approver has a key']);
  });

  it('follow the stricter of the policies at the result and today', async () => {
    await policy({ required: 1, approver_is_not_requester: true, kinds: ['forecast'] });
    const mission = await produced(home);
    // Nobody knows who requested it, so two people must approve.
    assert.equal(mission.approvals_required, 2);
    await policy({ required: 0 });
    assert.equal(showMission(home, mission.id).approvals_required, 2);
    await refused(() => review(home, mission, { runEngine }), 'approvals_required');
    await policy({ required: 2 });
    assert.equal(showMission(home, mission.id).approvals_required, 3);
    await policy({ required: 0 });
    const free = await produced(home);
    await policy({ required: 2 });
    await approve(home, free, alice);
    await policy({ required: 0 });
    // What somebody signed is not left out for the home's word.
    await refused(() => review(home, free, { runEngine }), 'approvals_required');
    const { state, approvals_required } = await approve(home, free, bob);
    assert.deepEqual([state, approvals_required], ['completed', 2]);
  });

  it('are not asked of other kinds', async () => {
    await policy({ required: 1, kinds: ['schedule'] });
    assert.equal((await review(home, await produced(home), { runEngine })).state, 'completed');
  });

  it('cannot be given by the requester, whose token names an approver', async () => {
    await rejectsRefusal(policy({ required: 2, approver_is_not_requester: true }), 'invalid');
    await policy({ required: 1, approver_is_not_requester: true });
    await rejectsRefusal(createToken(home, 'desk', 'reviewer', actor, undefined, { approver: 'dave' }), 'approver_unknown');
    await createToken(home, 'desk', 'reviewer', actor, undefined, { approver: 'alice' });
    const request = unwrap(decode(missionRequest, forecast()));
    const requested = async () =>
      execute(home, (await submitMission(homeVia(home, 'token'), request, undefined, 'desk')).record.id, { runEngine });
    const mission = await requested();
    assert.equal(mission.approvals_required, 1);
    throwsRefusal(() => subjectFor(home, mission, alice), 'self_approval');
    assert.equal((await approve(home, mission, bob)).state, 'completed');
    await policy({ required: 0, approver_is_not_requester: true });
    const unsigned = await requested();
    await refused(() => review(home, unsigned, { runEngine, actor: 'desk' }), 'self_approval');
    assert.equal((await review(home, unsigned, { runEngine })).state, 'completed');
    // One that was given before the policy said so is not counted.
    await policy({ required: 2 });
    const early = await requested();
    await approve(home, early, alice);
    const carol = await person(home, 'carol');
    await policy({ required: 2, approver_is_not_requester: true });
    assert.equal((await approve(home, early, bob)).state, 'review');
    assert.equal((await approve(home, early, carol)).state, 'completed');
  });

  it('are kept by a restored home, in which only what is signed for its own origin can be recorded', async () => {
    await policy({ required: 2 });
    const mission = await produced(home, forecast(), 'real');
    await approve(home, mission, alice);
    const former = signedBy(bob, subjectFor(home, mission, bob));
    const { file } = await backup(homes);
    const world = worldBeside(homes);
    await restore(world, file, { reason: 'a new disk' });
    home.close();
    home = openHome(world);
    await resume(home, actor);
    assert.deepEqual(names(showMission(home, mission.id)), ['alice']);
    await refused(() => submitSigned(home, mission, former), 'subject_mismatch');
    assert.equal((await approve(home, mission, bob)).state, 'completed');
    await requireApprovals(home, mission.id);
    const exported = exportText(home, mission.id).text;
    const origins = Array.from(exported.matchAll(/"subject":".*?origin\\":\\"(agent-journal\/[^\\]*)/g), ([, origin]) => origin);
    assert.deepEqual([origins.length, new Set(origins).size], [2, 2]);
    const approvers = [alice, bob].map(({ name, fingerprint }) => `${name}=${fingerprint}`);
    const verdict = await verdictOf(homes.root, exported, homes.report.public_key, { approvers, approvalsRequired: 2 });
    assert.ok(typeof verdict !== 'string' && verdict.valid, JSON.stringify(verdict));
  });

  it('are configured for no more people than have a key', async () => {
    for (const required of [3, 6]) await rejectsRefusal(policy({ required }), 'invalid');
    await policy({ required: 2 });
    await removeApprover(home, { name: 'bob', fingerprint: null, reason: 'left', actor });
    await rejectsRefusal(policy({ required: 2, kinds: ['forecast'] }), 'invalid');
    await apply(home, { approvals: { required: 2 }, max_evaluations: 100 });
  });

  it('leave the names of people and of tokens to them on the command line', async () => {
    await createToken(home, 'ci', 'viewer', actor);
    const mission = await produced(home);
    const cli = homeVia(home, 'cli');
    for (const name of ['alice', 'ci']) {
      const { revision, result_hash } = mission;
      const decision = { revision, result_hash: result_hash ?? '', approve: true, note: 'x', actor: name, runEngine };
      await refused(() => reviewMission(cli, mission.id, decision), 'invalid');
      const eve = { name: 'eve', title: null, actor: name };
      await refused(() => addApproverKey(cli, eve, { kind: 'passkey', key: passkey().pem }), 'invalid');
    }
    assert.equal((await approve(cli, mission, alice)).review?.actor, 'alice');
  });
});

const ssh: GivenKey = { kind: 'ssh', key: `${approverKey} alice@laptop\r\n` };

describe('approvers', () => {
  opened();
  const add = (name: string, key: GivenKey, title: string | null = null) => addApproverKey(home, { name, title, actor }, key);

  it('have keys of both kinds, without the comment of their files', async () => {
    await add('alice', ssh, 'Head of procurement');
    const { pem } = passkey();
    const { keys, title } = await add('alice', { kind: 'passkey', key: pem, credential: 'AQID' });
    assert.equal(title, 'Head of procurement');
    const shown = keys.flatMap(({ kind, key, credential }) => [kind, key, credential]);
    assert.deepEqual(shown, ['ssh', approverKey, undefined, 'passkey', pem, 'AQID']);
    assert.deepEqual(listApprovers(home).items, [showApprover(home, 'alice')]);
  });

  it('lose keys, with a reason; a key stays that of its first holder for ever', async () => {
    const [key] = (await add('alice', ssh)).keys;
    assert.ok(key);
    for (const name of ['alice', 'bob']) await refused(() => add(name, ssh), 'exists');
    const remove = (fingerprint: string | null, reason = 'lost') =>
      removeApprover(home, { name: 'alice', fingerprint, reason, actor });
    await refused(() => remove(key.fingerprint, ' '), 'invalid');
    await refused(() => remove(`SHA256:${'A'.repeat(43)}`), 'not_found');
    const [removed] = (await remove(key.fingerprint)).keys;
    assert.equal(removed?.reason, 'lost');
    assert.notEqual(removed?.removed_at, null);
    await refused(() => remove(key.fingerprint), 'not_found');
    for (const name of ['alice', 'bob']) await refused(() => add(name, ssh), 'exists');
  });

  it('can be removed whole and come back with another key', async () => {
    await add('alice', ssh);
    const removal = { name: 'alice', fingerprint: null, reason: 'left', actor };
    assert.equal((await removeApprover(home, removal)).state, 'removed');
    await refused(() => removeApprover(home, removal), 'wrong_state');
    await refused(() => removeApprover(home, { ...removal, name: 'bob' }), 'not_found');
    const { state, keys } = await add('alice', { kind: 'passkey', key: passkey().pem });
    assert.equal(state, 'active');
    const inUse = keys.map(({ removed_at }) => removed_at === null);
    assert.deepEqual(inUse, [false, true]);
  });

  it('are refused by name, title and key', async () => {
    for (const name of ['operator', 'API', 'a b', '', 'x'.repeat(65), '@x']) await refused(() => add(name, ssh), 'invalid');
    for (const title of ['', ' ', 'x'.repeat(201), '\ud800']) await refused(() => add('alice', ssh, title), 'invalid');
    for (const key of ['', 'ssh-dss AAAA', approverKey.replace('ssh-ed25519 ', ''), `${approverKey}\n${approverKey}`])
      await refused(() => add('alice', { kind: 'ssh', key }), 'invalid');
    await refused(() => add('alice', { kind: 'passkey', key: approverKey }), 'invalid');
    await add('alice', ssh);
    await createToken(home, 'ci', 'viewer', actor);
    for (const name of ['Alice', 'CI']) await refused(() => add(name, { kind: 'passkey', key: passkey().pem }), 'invalid');
  });
});
