/** Approvals on the command line: approvers, a key file of ssh-keygen, and a key on another machine. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { keygen, sshKey, type SshKeyFile, sshSign, sshVerifies } from '../support/base/ssh-keys.js';
import {
  configure,
  hostedScratch,
  onTerminal,
  plan,
  program,
  type Ran,
  type Scratch,
  whyNoTerminal,
} from '../support/cli/cli-run.js';
import { real } from '../support/real.js';

real('ssh-keygen', 'approvals on the command line', () => {
  let place: Scratch;
  let alice: SshKeyFile;
  let id: string;
  let key: string;
  before(() => {
    place = hostedScratch({ NO_COLOR: '1' });
    writeFileSync(at('plan.json'), JSON.stringify(plan));
    key = String(place.json('init')['public_key']);
    alice = sshKey(place.directory, 'alice');
    assert.equal(place.run('approver', 'add', 'alice', '--key', at('alice.pub'), '--title', 'Head of procurement').code, 0);
  });
  beforeEach(() => {
    id = String(place.json('run', 'plan.json', '--execute')['id']);
  });
  after(() => place.remove());

  const at = (name: string): string => join(place.directory, name);
  const seen = (): string[] => {
    const { revision, result_hash } = place.json('show', id);
    return ['--revision', String(revision), '--result-hash', String(result_hash), '--approve', '--note', 'fits the plan'];
  };

  it('are signed by a key file, public or private, after what is signed was shown', () => {
    const { code, stdout, stderr } = place.run('review', id, ...seen(), '--sign', at('alice'));
    assert.equal(code, 0, stderr);
    assert.match(stderr, /You sign that you approve this result:[^]*fits the plan[^]*alice/);
    assert.match(stderr, new RegExp(alice.fingerprint.replaceAll('+', '\\+')));
    assert.match(stdout, /approved by alice: fits the plan/);
    assert.match(stdout, /alice \(Head of procurement\), [^]*SHA256:/);
    const { review, approvals } = place.json('show', id) as {
      readonly review: { readonly actor: string };
      readonly approvals: readonly { readonly approver: string }[];
    };
    assert.deepEqual([review.actor, approvals.map(({ approver }) => approver)], ['alice', ['alice']]);
    const file = at(`${id}.json`);
    assert.equal(place.run('export', id, '--output', file).code, 0);
    const asked = ['verify-export', file, '--public-key', key, '--no-recompute', '--approver', `alice=${at('alice.pub')}`];
    const told = place.run(...asked).stdout;
    for (const words of [
      /kind +allocation\ngoal +Choose what to repair before winter\n/,
      /approved +1 of 1: alice \(Head of procurement\), key\s+SHA256:\S+,\s+\d{4}-\S+Z:\s+fits\s+the\s+plan\n/,
      /called for +0 signed approvals\n/,
      /\ninputs\n[^]*roof[^]*\nresult\n +Answer [^]*\n +Value +13\n/,
    ])
      assert.match(told, words);
    const { kind, goal, request, result, approvals_required } = place.json(...asked);
    assert.deepEqual([kind, goal, approvals_required], ['allocation', 'Choose what to repair before winter', 0]);
    assert.deepEqual([request, result], [place.json('show', id)['request'], place.json('show', id)['result']]);
  });

  it('are signed on another machine', () => {
    const out = at(`${id}.subject`);
    const asked = place.run('review', id, ...seen(), '--subject-out', out, '--key', alice.fingerprint);
    assert.match(asked.stdout, /ssh-keygen -Y sign -f KEYFILE[^]* --subject \S+ --signature \S+\.sig\n/, asked.stderr);
    const subject = readFileSync(out, 'utf8');
    const signature = sshSign(alice, subject);
    assert.ok(sshVerifies(place.directory, alice.line, subject, signature));
    writeFileSync(at('wrong.sig'), sshSign(alice, subject, 'file'));
    const wrong = place.run('review', id, '--subject', out, '--signature', at('wrong.sig'));
    assert.deepEqual([wrong.code, /namespace/.test(wrong.stderr)], [4, true], wrong.stderr);
    writeFileSync(at('right.sig'), `${signature.replaceAll('\n', '\r\n')}\n`);
    for (const more of [['--reject'], ['--note', 'another'], ['--approver', 'alice']])
      assert.equal(place.run('review', id, ...more, '--subject', out, '--signature', at('right.sig')).code, 2, more[0]);
    const done = place.run('review', id, '--subject', out, '--signature', at('right.sig'));
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /completed\n[^]*\napproval 1 +alice/);
  });

  it('are refused for keys of nobody, and for a rejection', () => {
    sshKey(place.directory, `eve-${id}`);
    const eve = place.run('review', id, ...seen(), '--sign', at(`eve-${id}`));
    assert.deepEqual([eve.code, /no approver has the key/.test(eve.stderr)], [4, true], eve.stderr);
    const rejected = place.run('review', id, ...seen().with(4, '--reject'), '--sign', at('alice'));
    assert.equal(rejected.code, 2, rejected.stderr);
    const unsigned = place.run('review', id, ...seen(), '--approver', 'alice');
    assert.deepEqual([unsigned.code, /--approver names who signs/.test(unsigned.stderr)], [2, true], unsigned.stderr);
    assert.equal(place.run('token', 'create', `desk-${id}`, '--role', 'reviewer', '--approver', 'alice').code, 0);
    assert.match(place.run('token', 'list').stdout, /^desk-\S+ +reviewer +active .*Z {2}alice$/m);
  });

  it('are refused without ssh-keygen', () => {
    const args = [program, 'review', id, ...seen(), '--sign', at('alice')];
    const env = { ...place.env, PATH: at('nothing') };
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    assert.equal(status, 7, stderr);
    assert.match(stderr, /ssh-keygen cannot be started \(ENOENT\); signing needs OpenSSH/);
    assert.equal(place.json('show', id)['state'], 'review');
  });

  describe('on a terminal', function () {
    let agent: ChildProcess;
    let env: Readonly<Record<string, string>>;
    before(async function () {
      if (whyNoTerminal() !== null) this.skip();
      for (const path of ['.ssh/a', '.ssh/a.pub']) mkdirSync(at(path), { recursive: true, mode: 0o700 });
      const bob = sshKey(at('.ssh'), 'bob', 'ecdsa');
      sshKey(at('.ssh'), 'stranger');
      const carol = sshKey(at('.ssh'), 'carol');
      keygen('-p', '-f', carol.file, '-P', '', '-N', 'a passphrase');
      for (const [name, { file }] of Object.entries({ bob, carol }))
        assert.equal(place.run('approver', 'add', name, '--key', `${file}.pub`).code, 0);
      // Alice's key is in ssh-agent alone.
      const socket = at('agent.sock');
      agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
      while (!existsSync(socket)) await setTimeout(10);
      const asked = { encoding: 'utf8', env: { ...process.env, SSH_AUTH_SOCK: socket } } as const;
      assert.equal(spawnSync('ssh-add', ['-q', at('alice')], asked).status, 0);
      const askpass = at('askpass');
      writeFileSync(askpass, '#!/bin/sh\necho a passphrase\n', { mode: 0o700 });
      env = { ...place.env, SSH_AUTH_SOCK: socket, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force' };
    });
    after(() => agent?.kill());
    const reviewed = (typed: string, more: Readonly<Record<string, string>> = {}): Ran =>
      onTerminal(['review', id], { ...env, ...more }, place.directory, `a\nfits\n${typed}\n`);
    const approvers = (): readonly string[] =>
      ((place.json('show', id)['approvals'] ?? []) as readonly { readonly approver: string }[]).map(({ approver }) => approver);

    it('are recorded by the home for who signs with no key', () => {
      const { code, stdout } = reviewed('4\nn');
      assert.equal(code, 0, stdout);
      assert.match(
        stdout,
        /Sign with key 1 to 3, \[n\]one or \[q\]uit: [^]*recorded by the home for operator, not signed by a person's key/,
      );
    });

    it('are signed by the key that the person chooses, with a passphrase or of ssh-agent', () => {
      configure(place, { approvals: { required: 2 } });
      const wrong = reviewed('2', { SSH_ASKPASS: '/bin/false' });
      assert.deepEqual([wrong.code, /ssh-keygen -q -Y failed; nothing was recorded/.test(wrong.stdout)], [2, true], wrong.stdout);
      assert.deepEqual(approvers(), []);
      assert.match(place.run('show', id).stdout, /--note "YOUR REASON" --sign KEYFILE\n/);
      const first = reviewed('n\n2');
      assert.equal(first.code, 0, first.stdout);
      assert.match(
        first.stdout,
        /1 {2}bob, SHA256:\S+, \S+bob\.pub[^]*2 {2}carol, [^]*3 {2}alice \(Head of procurement\), SHA256:\S+, in ssh-agent/,
      );
      assert.match(first.stdout, /Approved\. 1 of 2 approvals\. Recorded in the signed journal under the name "carol"\./);
      assert.ok(!first.stdout.includes('stranger'), first.stdout);
      const waitsFor = (name: string): boolean =>
        (place.json('list', '--needs', name)['items'] as readonly { readonly id: string }[]).some((mission) => mission.id === id);
      assert.deepEqual(['alice', 'bob', 'carol'].map(waitsFor), [true, true, false]);
      const unknown = place.run('list', '--needs', 'nobody');
      assert.deepEqual([unknown.code, /there is no approver nobody/.test(unknown.stderr)], [2, true], unknown.stderr);
      const second = reviewed('2');
      assert.match(second.stdout, /under the name "alice"\.\s+Signed with the key SHA256:[^]*next: agent-cli export/);
      assert.deepEqual(approvers(), ['carol', 'alice']);
    });
  });
});
