/**
 * Approvals in exports. The forging test: with the home's key and every file of the home, nothing that was not signed by the person's own key
 * counts as an approval, for this program and, where the forgery is one of a signature, for openssl and ssh-keygen alone.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../../src/app/home/home.js';
import { exportText, requireApprovals } from '../../../src/app/exports/export.js';
import { verifyExport } from '../../../src/app/exports/verify-export.js';
import { addApproverKey } from '../../../src/app/approvals/approvers.js';
import { approveSigned, reviewSubject } from '../../../src/app/missions/signed-review.js';
import type { SignedApproval } from '../../../src/base/approval.js';
import { checkApprovals, checkApprovers, type ApprovedEntry } from '../../../src/base/approval-evidence.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/hash.js';
import { Refuted } from '../../../src/base/web-crypto.js';
import { assertionOf, opensslVerifies, passkey } from '../../support/base/passkeys.js';
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

real(['ssh-keygen', 'openssl'], 'the evidence of approvals', function () {
  this.timeout(60_000);
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
    rmSync(directory, { recursive: true });
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
    assert.deepEqual(
      [valid, approvals?.map(({ approver, note }) => [approver, note]), approvals_required, review?.actor, unsigned],
      [
        true,
        [
          ['alice', 'as planned'],
          ['bob', 'fits'],
        ],
        2,
        'bob',
        undefined,
      ],
    );
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
    await rejectsRefusal(by(['alice']), 'invalid');
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
    const { status, text: said } = run(
      file,
      '--approver',
      `alice=${alice.file}.pub`,
      '--approver',
      `bob=${bob.fingerprint}`,
      '--approvals-required',
      '2',
    );
    assert.equal(status, 0, said);
    assert.ok(said.includes(`✓ alice approved it at `) && said.includes(alice.fingerprint) && said.includes('as planned'), said);
    assert.equal(run(file).status, 0);
    assert.equal(run(file, '--approvals-required', '3').status, 3);
    assert.equal(run(file, '--approver', `alice=${bob.fingerprint}`).status, 3);
    assert.equal(run(file, '--approver', 'alice').status, 2);
    const { approvals, ...others } = exported();
    const changes: readonly (readonly [object, number])[] = [
      [{ ...others, approvals: approvals.slice(1) }, 3],
      [{ ...others, approvals: approvals.toReversed() }, 3],
      [{ ...others, approvals: [] }, 2],
      [{ ...others, approvals: [null, null] }, 2],
      [others, 0],
    ];
    const changed = join(directory, 'script.json');
    for (const [document, expected] of changes) {
      writeFileSync(changed, `${canonicalJson(document)}\n`);
      const answer = run(changed);
      assert.equal(answer.status, expected, answer.text);
    }
    assert.equal(run(changed, '--approvals-required', '1').status, 3);
  });

  it('can be left out for other verifiers, which is told and counts as no approval', async () => {
    const lean = exportText(home, exported().receipt.body.mission, { withoutApprovals: true }).text;
    assert.equal('approvals' in JSON.parse(lean), false);
    const { valid, approvals, approvals_required, unsigned } = await verdictOf(lean);
    assert.deepEqual([valid, approvals, approvals_required, unsigned], [true, undefined, 2, undefined]);
    assert.ok(!(await verdictOf(lean, { approvalsRequired: 1 })).valid);
    assert.ok(!(await verdictOf(lean, { approvers: [`alice=${alice.fingerprint}`] })).valid);
  });

  /** What somebody with the home's key could put into an entry that he signs anew: any member, counted by its own hash. */
  const forged = (
    approvals: readonly SignedApproval[],
    changes: (entry: ApprovedEntry) => object = () => ({}),
  ): Promise<unknown> => {
    const { body } = exported().receipt;
    const counted = { ...body.document.approvals, required: 1, sha256: approvals.map((each) => sha256Hex(canonicalJson(each))) };
    const entry = { ...body, document: { ...body.document, approvals: counted } } as ApprovedEntry;
    const changed = { ...entry, ...changes(entry) } as ApprovedEntry;
    return checkApprovals(approvals, changed).then((subjects) =>
      checkApprovers(subjects, { approvers: [{ name: 'alice', fingerprint: alice.fingerprint }], required: 1 }),
    );
  };
  const signedAnew = (subject: string): boolean => exported().approvals.every((each) => each.subject !== subject);
  const edited = (changes: object, own = 0): SignedApproval => {
    const approval = exported().approvals[own];
    assert.ok(approval !== undefined);
    const subject = canonicalJson({ ...(JSON.parse(approval.subject) as object), ...changes });
    assert.ok(signedAnew(subject));
    return { ...approval, subject };
  };

  it('holds against 40 forgeries, of which none of a signature convinces ssh-keygen or openssl', async () => {
    const [first, second] = exported().approvals;
    assert.ok(first !== undefined && second !== undefined);
    const mallory = sshKey(directory, 'mallory');
    const eve = passkey();
    const asMallory = (subject = first.subject, namespace = 'agent-cli-review', hash = 'sha512'): SignedApproval => ({
      ...first,
      subject,
      signature: sshSign(mallory, subject, namespace, hash),
    });
    const withKey = { ...asMallory(), key: mallory.line.trim().split(' ').slice(0, 2).join(' ') };
    const ofMallory = canonicalJson({ ...(JSON.parse(first.subject) as object), key: mallory.fingerprint });
    const { document } = exported().receipt.body;
    const last = (review: object) => (entry: ApprovedEntry) => ({
      document: { ...entry.document, review: { ...entry.document.review, actor: 'alice', note: 'as planned', ...review } },
    });
    const ownReview = last({});
    const signatures: readonly (readonly [string, SignedApproval])[] = [
      ...Object.entries({
        mission: '00000000-0000-4000-8000-000000000009',
        kind: 'forecast',
        request_hash: 'a'.repeat(64),
        result_hash: 'b'.repeat(64),
        revision: 1,
        note: 'another reason',
        identity: `urn:agialpha:ed25519:${'0'.repeat(64)}`,
        origin: 'agent-journal/0000000000000000',
        at: '2026-11-20T05:00:00.000001Z',
        approver: 'mallory',
        key: mallory.fingerprint,
      }).map(([name, value]) => [`an edited ${name}`, edited({ [name]: value })] as const),
      ['a signature of another key', asMallory()],
      ['another key beside the fingerprint', withKey],
      ['another key with its signature', { ...asMallory(ofMallory), key: withKey.key }],
      ['another namespace', asMallory(first.subject, 'file')],
      ['another hash', asMallory(first.subject, 'agent-cli-review', 'sha256')],
      ['the signature of the other person', { ...first, signature: second.signature }],
      ['an empty signature', { ...first, signature: '' }],
      ['a signature in other lines', { ...first, signature: first.signature.replaceAll('\n', '\n\n') }],
      ['a signature moved to the other subject', { ...first, subject: second.subject }],
      ['a passkey of another', { ...second, ...assertionOf(eve, second.subject) }],
      ['a passkey of another with its key', { ...second, ...assertionOf(eve, second.subject), key: eve.pem }],
      ['an edited note under a passkey', edited({ note: 'another reason' }, 1)],
      ['a passkey that did not verify its user', { ...second, ...assertionOf(eve, second.subject, { flags: 1 }) }],
      [
        'a passkey on another site',
        { ...second, ...assertionOf(eve, second.subject, { origin: 'https://evil.example', rpId: 'evil.example' }) },
      ],
      ['client data of the other', { ...second, client_data: 'e30' }],
    ];
    for (const [name, approval] of signatures) {
      await assert.rejects(forged([approval], ownReview), Refuted, name);
      const { authenticator_data = '', client_data = '', signature } = approval;
      const isSigned: boolean =
        approval.kind === 'ssh'
          ? sshVerifies(directory, alice.line, approval.subject, signature)
          : client_data !== 'e30' &&
            opensslVerifies(directory, second.key, approval.subject, { authenticator_data, client_data, signature });
      // ssh-keygen takes any hash and spelling that signs the same; none of these is of the person's key.
      assert.equal(isSigned, name === 'a signature in other lines', name);
    }
    const entries: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['an approval left out', () => verdictOf(canonicalJson({ ...exported(), approvals: [first] })).then(refutedUnless)],
      [
        'approvals in another order',
        () => verdictOf(canonicalJson({ ...exported(), approvals: [second, first] })).then(refutedUnless),
      ],
      ['one approval twice', () => forged([first, first], ownReview)],
      [
        'another title',
        () => verdictOf(canonicalJson({ ...exported(), approvals: [{ ...first, title: 'Owner' }, second] })).then(refutedUnless),
      ],
      ['a note of the review that nobody signed', () => forged([first], last({ note: 'bought twice' }))],
      ['a reviewer who did not sign', () => forged([first], last({ actor: 'carol' }))],
      ['another result in the entry', () => forged([first], last({ result_hash: 'c'.repeat(64) }))],
      [
        'a mission of another name',
        () => forged([first], (entry) => ({ ...ownReview(entry), mission: '00000000-0000-4000-8000-000000000009' })),
      ],
      [
        'another identity',
        () => forged([first], (entry) => ({ ...ownReview(entry), identity: `urn:agialpha:ed25519:${'1'.repeat(64)}` })),
      ],
      [
        'another request',
        () => forged([first], (entry) => ({ document: { ...ownReview(entry).document, request_hash: 'd'.repeat(64) } })),
      ],
      [
        'a record an hour later',
        () => forged([first], (entry) => ({ ...ownReview(entry), time: '2026-11-20T09:00:00.000000Z' })),
      ],
      ['a record before it', () => forged([first], (entry) => ({ ...ownReview(entry), time: '2026-11-20T01:00:00.000000Z' }))],
      [
        'a policy that called for more',
        () =>
          checkApprovals([first], {
            ...exported().receipt.body,
            document: { ...document, approvals: { required: 2, sha256: [sha256Hex(canonicalJson(first))] } },
          }),
      ],
      ['no approval at all', () => forged([])],
    ];
    for (const [name, attempt] of entries) await assert.rejects(attempt(), Refuted, name);
    assert.equal(signatures.length + entries.length, 40);
    await forged([first], ownReview);
  });
});

const refutedUnless = ({ valid, reason }: { readonly valid: boolean; readonly reason: string | null }): void => {
  if (!valid) throw new Refuted(reason ?? '');
};
