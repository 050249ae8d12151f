/** Approvals in exports: who gave them, for this program, for the verifier that is one file, and for openssl and ssh-keygen alone. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../../src/app/home/home.js';
import { exportText, requireApprovals } from '../../../src/app/exports/export.js';
import { verifyExport } from '../../../src/app/exports/verify-export.js';
import { addApproverKey } from '../../../src/app/approvals/approvers.js';
import { approveSigned, reviewSubject } from '../../../src/app/missions/review.js';
import type { SignedApproval } from '../../../src/base/approval.js';
import type { ApprovedEntry } from '../../../src/base/approval-evidence.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { opensslVerifies } from '../../support/base/passkeys.js';
import { sshKey, type SshKeyFile, sshSign, sshVerifies } from '../../support/base/ssh-keys.js';
import { approve, person, type Person } from '../../support/app/given-approvals.js';
import { actor, apply, produced, rejectsRefusal, schedule } from '../../support/app/given-home.js';
import { temporaryHome, type TemporaryHome } from '../../support/app/temporary-home.js';
import { packageRoot } from '../../support/package-root.js';
import { real } from '../../support/real.js';

interface Exported {
  readonly approvals: readonly SignedApproval[];
  readonly receipt: { readonly body: ApprovedEntry };
}

real(['ssh-keygen', 'openssl'], 'the evidence of approvals', () => {
  let homes: TemporaryHome;
  let home: Home;
  let alice: SshKeyFile;
  let bob: Person;
  let text: string;
  let file: string;
  let key: string;
  let directory: string;

  before(async () => {
    homes = temporaryHome();
    home = homes.open();
    key = homes.report.public_key;
    directory = mkdtempSync(join(homes.root, 'signers-'));
    alice = sshKey(directory, 'alice');
    await addApproverKey(home, { name: 'alice', title: 'Head of procurement', actor }, { kind: 'ssh', key: alice.line });
    bob = await person(home, 'bob');
    await apply(home, { approvals: { required: 2 } });
    const mission = await produced(home, schedule('two people'), 'real');
    const subject = reviewSubject(home, mission.id, { note: 'as planned', key: alice.fingerprint });
    await approveSigned(home, mission.id, { subject, signature: sshSign(alice, subject) }, { actor });
    await approve(home, mission, bob, 'fits');
    await requireApprovals(home, mission.id);
    text = exportText(home, mission.id).text;
    file = join(directory, 'export.json');
    writeFileSync(file, text);
  });
  after(() => {
    home.close();
    homes.remove();
  });

  const verdictOf = (document: string, more: object = {}) => {
    const path = join(directory, 'changed.json');
    writeFileSync(path, document);
    return verifyExport({ file: path, publicKey: key, env: {}, recompute: false, ...more });
  };
  const exported = (): Exported => JSON.parse(text) as Exported;

  it('is in the export: each signature can be checked by ssh-keygen or openssl alone', async () => {
    const [first, second] = exported().approvals;
    assert.ok(first !== undefined && second !== undefined);
    assert.ok(sshVerifies(directory, first.key, first.subject, first.signature));
    const { authenticator_data = '', client_data = '', signature } = second;
    assert.ok(opensslVerifies(directory, second.key, second.subject, { authenticator_data, client_data, signature }));
    const { valid, approvals, approvals_required, review, unsigned } = await verdictOf(text);
    assert.deepEqual([valid, approvals_required, review?.actor, unsigned], [true, 2, 'bob', undefined]);
    const said = approvals?.map(({ approver, note }) => `${approver}: ${note}`);
    assert.deepEqual(said, ['alice: as planned', 'bob: fits']);
  });

  it('is compared with the people whom the verifier knows', async () => {
    const by = async (approvers: readonly string[], approvalsRequired = 0): Promise<boolean> =>
      (await verdictOf(text, { approvers, approvalsRequired })).valid;
    assert.ok(await by([`alice=${alice.file}.pub`, `bob=${bob.fingerprint}`], 2));
    assert.ok(await by([`alice=${bob.fingerprint}`, `alice=${alice.fingerprint}`], 1));
    assert.ok(await by([], 2));
    assert.ok(!(await by([], 3)));
    assert.ok(!(await by([`alice=${alice.fingerprint}`], 2)));
    assert.ok(!(await by([`alice=${bob.fingerprint}`])));
    assert.ok(!(await by([`carol=${alice.fingerprint}`])));
    for (const given of ['alice', 'alice=SHA256:short']) await rejectsRefusal(by([given]), 'invalid');
    await rejectsRefusal(by(['alice=none.pub']), 'not_found');
    await rejectsRefusal(by([], -1), 'invalid');
  });

  it('is checked by the verifier that is one file, with the same verdicts', () => {
    const script = join(packageRoot(import.meta.url), 'scripts', 'verify-export.mjs');
    const run = (path: string, ...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, path, '--public-key', key, ...args], {
        encoding: 'utf8',
      });
      return { status, text: stdout + stderr };
    };
    const both = ['--approver', `alice=${alice.file}.pub`, '--approver', `bob=${bob.fingerprint}`];
    const { status, text: said } = run(file, ...both, '--approvals-required', '2');
    assert.equal(status, 0, said);
    assert.ok(said.includes(`✓ alice approved it at `) && said.includes(alice.fingerprint) && said.includes('as planned'), said);
    assert.equal(run(file).status, 0);
    const statuses = ['3', '', '1.5', '0x1', '101'].map((required) => run(file, '--approvals-required', required).status);
    assert.deepEqual(statuses, [3, 2, 2, 2, 2]);
    assert.equal(run(file, '--approver', `alice=${bob.fingerprint}`).status, 3);
    for (const given of ['alice', 'alice=SHA256:short']) assert.equal(run(file, '--approver', given).status, 2);
    assert.match(run(file, ...both.slice(2)).text, /\n\? without a key from you, a name is the word of the issuer\n/);
    assert.doesNotMatch(said, /word of the issuer/);
    const { approvals: _, ...others } = exported();
    const changed = join(directory, 'script.json');
    writeFileSync(changed, `${canonicalJson(others)}\n`);
    assert.equal(run(changed).status, 0);
    assert.match(run(changed, '--approver', `alice=${bob.fingerprint}`).text, /\n✗ the file holds no approval by alice\n/);
  });

  it('can be left out for other verifiers, which is told and counts as no approval', async () => {
    const lean = exportText(home, exported().receipt.body.mission, { withoutApprovals: true }).text;
    assert.equal('approvals' in JSON.parse(lean), false);
    const { valid, approvals, approvals_required, unsigned } = await verdictOf(lean);
    assert.deepEqual([valid, approvals, approvals_required, unsigned], [true, undefined, 2, undefined]);
    assert.ok(!(await verdictOf(lean, { approvalsRequired: 1 })).valid);
    assert.ok(!(await verdictOf(lean, { approvers: [`alice=${alice.fingerprint}`] })).valid);
  });
});
