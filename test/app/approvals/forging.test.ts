/**
 * The forging test. Whoever has identity.key and every file of a home records what he likes in its journal, and signs it: each of 40 approvals that
 * people's own keys did not give is refused by this program and by the verifier that is one file and, where it is a forged signature, by ssh-keygen
 * or openssl alone.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addApproverKey } from '../../../src/app/approvals/approvers.js';
import { issueInvoice } from '../../../src/app/invoices/issue.js';
import { renderMission } from '../../../src/app/exports/report.js';
import { exportText, beyondKey, requireApprovals } from '../../../src/app/exports/export.js';
import { verifyExport } from '../../../src/app/exports/verify-export.js';
import type { Home } from '../../../src/app/home/home.js';
import { approveSigned, reviewSubject } from '../../../src/app/missions/review.js';
import type { SignedApproval } from '../../../src/base/approval.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import { formatTime } from '../../../src/base/time.js';
import type { MissionRecord } from '../../../src/codec/api-missions.js';
import type { Documents } from '../../../src/codec/event.js';
import { missionStream } from '../../../src/domain/mission.js';
import { approve, person, type Person } from '../../support/app/given-approvals.js';
import { actor, apply, fakeEngine, forecast, laterRefusalOf, produced, rejectsRefusal } from '../../support/app/given-home.js';
import { loadCore } from '../../support/app/script-core.js';
import { temporaryHome, type TemporaryHome } from '../../support/app/temporary-home.js';
import { assertionOf, opensslVerifies, type Passkey, passkey } from '../../support/base/passkeys.js';
import { sshKey, type SshKeyFile, sshSign, sshVerifies } from '../../support/base/ssh-keys.js';
import { owner } from '../../support/chain/wallet.js';
import { cli, type Ran } from '../../support/cli/cli-run.js';
import { real } from '../../support/real.js';

type Completed = Documents['mission.completed'];

/** What alice and bob would sign, or did sign, for the mission under attack. */
interface Target {
  readonly alice: SignedApproval;
  readonly bob: SignedApproval;
}

interface Forgery {
  readonly forged: (target: Target) => readonly SignedApproval[];
  /** The approval whose signature is forged. */
  readonly signature?: 0 | 1;
  /** What verifies by itself: names are the issuer's word, so only a reader who knows alice's and bob's keys is not deceived. */
  readonly isOwnWord?: true;
  readonly entry?: (document: Completed) => Completed;
  readonly late_ms?: number;
  /** What is recorded in other streams before it. */
  readonly first?: () => Promise<unknown>;
  readonly file?: (document: Record<string, unknown>) => Record<string, unknown>;
}

real(['ssh-keygen', 'openssl'], 'forged approvals', () => {
  let homes: TemporaryHome;
  let home: Home;
  let directory: string;
  let alice: SshKeyFile;
  let mallory: SshKeyFile;
  let bob: Person;
  let eve: Passkey;
  let given: Target;
  let demands: {
    readonly approvers: readonly { readonly name: string; readonly fingerprint: string }[];
    readonly required: number;
  };

  before(async () => {
    homes = temporaryHome();
    home = homes.open();
    directory = mkdtempSync(join(homes.root, 'signers-'));
    [alice, mallory, eve] = [sshKey(directory, 'alice'), sshKey(directory, 'mallory'), passkey()];
    await addApproverKey(home, { name: 'alice', title: 'Head of procurement', actor }, { kind: 'ssh', key: alice.line });
    bob = await person(home, 'bob');
    await apply(home, { approvals: { required: 2 } });
    const known = [
      { name: 'alice', fingerprint: alice.fingerprint },
      { name: 'bob', fingerprint: bob.fingerprint },
    ];
    demands = { approvers: known, required: 2 };
    const mission = await produced(home, forecast('given'));
    given = targetOf(mission);
    const { subject, signature } = given.alice;
    await approveSigned(home, mission.id, { subject, signature }, { actor, runEngine: fakeEngine() });
    await approve(home, mission, bob, 'fits');
  });
  after(() => {
    home.close();
    homes.remove();
  });

  const keyOf = ({ line }: SshKeyFile): string => line.trim().split(' ').slice(0, 2).join(' ');

  /** The approvals that alice and bob would give. */
  function targetOf({ id }: MissionRecord): Target {
    const [hers, his] = [
      reviewSubject(home, id, { note: 'as planned', key: alice.fingerprint }),
      reviewSubject(home, id, { note: 'fits', key: bob.fingerprint }),
    ];
    const ssh = { title: 'Head of procurement', kind: 'ssh', key: keyOf(alice), fingerprint: alice.fingerprint } as const;
    const web = { title: null, kind: 'passkey', key: bob.passkey.pem, fingerprint: bob.fingerprint } as const;
    return {
      alice: { approver: 'alice', ...ssh, subject: hers, signature: sshSign(alice, hers) },
      bob: { approver: 'bob', ...web, subject: his, ...assertionOf(bob.passkey, his) },
    };
  }
  const edited = (subject: string, changes: object): string => canonicalJson({ ...(JSON.parse(subject) as object), ...changes });

  /** Records the approvals and the completion by them, as the home would, and signs them with its key. */
  async function record(mission: MissionRecord, target: Target, { forged, entry = (same) => same }: Forgery): Promise<void> {
    const approvals = forged(target);
    const { id, kind, goal, engine, result, request_hash } = mission;
    const review = {
      actor: 'bob',
      approved: true,
      at: formatTime(homes.clock.now),
      note: 'fits',
      result_hash: mission.result_hash ?? '',
    };
    const sha256 = approvals.map((each) => sha256Hex(canonicalJson(each)));
    const counted = { required: 2, approver_is_not_requester: false, requester: null, sha256 };
    const made = { kind, goal, request_hash, ...(engine === null ? {} : { engine }), parent: null, parent_digest: null };
    const document = { state: 'completed', result, review, ...made, approvals: counted } as unknown as Completed;
    await home.transact((tx) => {
      for (const approval of approvals)
        tx.append(missionStream.nameOf(id), { type: 'mission.approved', document: { approval, actor } });
      tx.append(missionStream.nameOf(id), { type: 'mission.completed', document: entry(document) });
    });
  }

  const hers = (change: (approval: SignedApproval) => Partial<SignedApproval>): Forgery => ({
    forged: ({ alice: own, bob: other }) => [{ ...own, ...change(own) }, other],
  });
  const his = (change: (approval: SignedApproval) => Partial<SignedApproval>): Forgery => ({
    forged: ({ alice: other, bob: own }) => [other, { ...own, ...change(own) }],
  });
  /** The same, with a signature that ssh-keygen or openssl refuses too. */
  const signedAsHers = (change: Parameters<typeof hers>[0]): Forgery => ({ ...hers(change), signature: 0 });
  const signedAsHis = (change: Parameters<typeof his>[0]): Forgery => ({ ...his(change), signature: 1 });
  const swapped = (own: SignedApproval): SignedApproval => {
    const subject = edited(own.subject, { key: mallory.fingerprint });
    const signature = sshSign(mallory, subject);
    return { ...own, key: keyOf(mallory), fingerprint: mallory.fingerprint, subject, signature };
  };
  const signedByEve = ({ subject }: SignedApproval): Partial<SignedApproval> => assertionOf(eve, subject);
  const otherwise = {
    approver: 'mallory',
    at: '2026-11-20T05:00:00.000001Z',
    identity: `urn:agialpha:ed25519:${'0'.repeat(64)}`,
    kind: 'schedule',
    mission: '00000000-0000-4000-8000-000000000009',
    note: 'another reason',
    origin: 'agent-journal/0000000000000000',
    request_hash: 'a'.repeat(64),
    result_hash: 'b'.repeat(64),
    revision: 1,
  };
  const reviewed = (changes: object) => (document: Completed) => ({ ...document, review: { ...document.review, ...changes } });
  const all = ({ alice: one, bob: other }: Target): readonly SignedApproval[] => [one, other];

  const forgeries = (): Readonly<Record<string, Forgery>> => ({
    'her signature under another mission': signedAsHers(() => ({ signature: given.alice.signature })),
    'her approval of another mission': hers(() => given.alice),
    'a signature of another key': signedAsHers(({ subject }) => ({ signature: sshSign(mallory, subject) })),
    'another key beside her fingerprint': signedAsHers(({ subject }) => ({
      key: keyOf(mallory),
      signature: sshSign(mallory, subject),
    })),
    'another key in her name': { ...signedAsHers(swapped), isOwnWord: true },
    'another key in her name, in her stream too': {
      ...signedAsHers(swapped),
      first: () => addApproverKey(home, { name: 'alice', title: null, actor }, { kind: 'ssh', key: mallory.line }),
      isOwnWord: true,
    },
    'a signature of hers for another namespace': signedAsHers(({ subject }) => ({ signature: sshSign(alice, subject, 'git') })),
    'no signature': signedAsHers(() => ({ signature: '' })),
    'half a signature': signedAsHers(({ signature }) => ({ signature: signature.slice(0, 200) })),
    "the other person's signature": signedAsHers(() => ({ signature: given.bob.signature })),
    ...Object.fromEntries(
      Object.entries(otherwise).map(([name, value]) => [
        `another ${name} above her signature`,
        signedAsHers(({ subject }) => ({ subject: edited(subject, { [name]: value }) })),
      ]),
    ),
    ...Object.fromEntries(
      (['origin', 'identity', 'result_hash', 'request_hash'] as const).map((name) => [
        `what she signed for another ${name}`,
        hers(({ subject }) => {
          const other = edited(subject, { [name]: otherwise[name] });
          return { subject: other, signature: sshSign(alice, other) };
        }),
      ]),
    ),
    'an assertion of another passkey': signedAsHis(signedByEve),
    'an assertion of another passkey with its key': signedAsHis((own) => ({ ...signedByEve(own), key: eve.pem })),
    'his assertion under another mission': signedAsHis(() => {
      const { authenticator_data = '', client_data = '', signature } = given.bob;
      return { authenticator_data, client_data, signature };
    }),
    'another reason above his assertion': signedAsHis(({ subject }) => ({ subject: edited(subject, { note: 'cheap' }) })),
    'his assertion on client data of another mission': signedAsHis(() => ({ client_data: given.bob.client_data ?? '' })),
    'another counter in his authenticator data': signedAsHis(({ authenticator_data = '' }) => ({
      authenticator_data: `${authenticator_data.slice(0, -2)}EA`.slice(0, authenticator_data.length),
    })),
    'his passkey without his PIN': his(({ subject }) => assertionOf(bob.passkey, subject, { flags: 1 })),
    'his passkey on another site': his(({ subject }) =>
      assertionOf(bob.passkey, subject, { origin: 'https://evil.example', rpId: 'localhost' }),
    ),
    'an approval left out of the export': {
      forged: all,
      isOwnWord: true,
      file: (document) => ({ ...document, approvals: (document['approvals'] as readonly unknown[]).slice(1) }),
    },
    'the approvals in another order': {
      forged: all,
      isOwnWord: true,
      file: (document) => ({ ...document, approvals: (document['approvals'] as readonly unknown[]).toReversed() }),
    },
    'a policy that was lowered afterwards': {
      forged: ({ bob: own }) => [own],
      isOwnWord: true,
      entry: (document) => ({ ...document, approvals: { ...document.approvals, required: 1 } }) as Completed,
    },
    'one approval where two were called for': { forged: ({ bob: own }) => [own] },
    'one person twice': {
      forged: ({ bob: own }) => [own, { ...own, subject: own.subject, ...assertionOf(bob.passkey, own.subject, { counter: 1 }) }],
    },
    'a reason that nobody signed': { forged: all, entry: reviewed({ note: 'bought twice' }) },
    'a reviewer who did not sign': { forged: all, entry: reviewed({ actor: 'carol' }) },
    'a record an hour later': { forged: all, late_ms: 3_600_000 },
  });

  it('number 40', () => assert.equal(Object.keys(forgeries()).length, 40));

  it('are each refused, while the true ones are not', async () => {
    const core = await loadCore();
    const { public_key: key } = homes.report;
    const file = join(directory, 'export.json');
    const judge = async (id: string, change: Forgery['file'] = (same) => same): Promise<readonly (boolean | string)[]> => {
      const document = JSON.parse(exportText(home, id).text) as Record<string, unknown>;
      const text = `${canonicalJson(change(document))}\n`;
      writeFileSync(file, text);
      const approvers = demands.approvers.map(({ name, fingerprint }) => `${name}=${fingerprint}`);
      const { valid } = await verifyExport({ file, publicKey: key, env: {}, recompute: false, approvers, approvalsRequired: 2 });
      const { verdict } = await (core.verifyExport as (...args: unknown[]) => Promise<{ verdict: string }>)(
        Buffer.from(text),
        key,
        null,
        demands,
      );
      return [valid, verdict];
    };
    const invoice = { amount: '1', payer: owner.address, actor };
    const honest = await produced(home, forecast('honest'));
    await record(honest, targetOf(honest), { forged: all });
    await requireApprovals(home, honest.id);
    assert.deepEqual(await judge(honest.id), [true, 'valid']);
    assert.equal(await beyondKey(home), null);
    for (const [name, forgery] of Object.entries(forgeries())) {
      const mission = await produced(home, forecast(name));
      const target = targetOf(mission);
      homes.clock.now += forgery.late_ms ?? 0;
      await forgery.first?.();
      await record(mission, target, forgery);
      const refusal = await laterRefusalOf(() => requireApprovals(home, mission.id));
      assert.equal(refusal?.code, forgery.isOwnWord === true ? undefined : 'verification_failed', name);
      assert.deepEqual(await judge(mission.id, forgery.file), [false, 'refuted'], name);
      if (refusal !== null) await rejectsRefusal(renderMission(home, mission.id, 'html'), 'verification_failed');
      if (refusal !== null) await rejectsRefusal(issueInvoice(home, mission.id, invoice), 'verification_failed');
      if (forgery.signature === undefined) continue;
      const {
        subject,
        signature,
        authenticator_data = '',
        client_data = '',
      } = forgery.forged(target)[forgery.signature] ?? target.alice;
      const isSigned =
        forgery.signature === 0
          ? sshVerifies(directory, alice.line, subject, signature)
          : opensslVerifies(directory, bob.passkey.pem, subject, { authenticator_data, client_data, signature });
      assert.equal(isSigned, false, name);
    }
  });

  it('are found by verify --deep, though the journal itself verifies', () => {
    const verify = (...flags: readonly string[]): Ran =>
      cli(['verify', ...flags, '--home', join(homes.root, 'home')], { AGENT_WITNESS: join(homes.root, 'witness') }, homes.root);
    assert.equal(verify().code, 0);
    const { code, stdout } = verify('--deep');
    assert.equal(code, 3);
    assert.match(stdout, /✗ verification_failed: an approval of mission [0-9a-f-]{36} does not verify: /);
  });
});
