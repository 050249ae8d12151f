/** Approvals on the command line: approvers, a key file of ssh-keygen, and a key on another machine. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sshKey, type SshKeyFile, sshSign, sshVerifies } from '../support/base/ssh-keys.js';
import { hostedScratch, plan, type Scratch } from '../support/cli/cli-run.js';
import { real } from '../support/real.js';

real('ssh-keygen', 'approvals on the command line', () => {
  let place: Scratch;
  let alice: SshKeyFile;
  let id: string;
  before(() => {
    place = hostedScratch({ NO_COLOR: '1' });
    writeFileSync(at('plan.json'), JSON.stringify(plan));
    assert.equal(place.run('init').code, 0);
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
  });

  it('are signed on another machine', () => {
    const out = at(`${id}.subject`);
    const asked = place.run('review', id, ...seen(), '--subject-out', out, '--key', alice.fingerprint);
    assert.equal(asked.code, 0, asked.stderr);
    const subject = readFileSync(out, 'utf8');
    const signature = sshSign(alice, subject);
    assert.ok(sshVerifies(place.directory, alice.line, subject, signature));
    writeFileSync(at('wrong.sig'), sshSign(alice, subject, 'file'));
    const wrong = place.run('review', id, '--subject', out, '--signature', at('wrong.sig'));
    assert.deepEqual([wrong.code, /namespace/.test(wrong.stderr)], [4, true], wrong.stderr);
    writeFileSync(at('right.sig'), signature);
    const done = place.run('review', id, '--subject', out, '--signature', at('right.sig'));
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /completed/);
  });

  it('are refused for keys of nobody, for names of others and without ssh-keygen', () => {
    sshKey(place.directory, `eve-${id}`);
    const eve = place.run('review', id, ...seen(), '--sign', at(`eve-${id}`));
    assert.deepEqual([eve.code, /no approver has the key/.test(eve.stderr)], [4, true], eve.stderr);
    const named = place.run('review', id, ...seen(), '--as', 'alice');
    assert.deepEqual([named.code, /alice is the name of an approver/.test(named.stderr)], [2, true], named.stderr);
    const rejected = place.run('review', id, ...seen().with(4, '--reject'), '--sign', at('alice'));
    assert.equal(rejected.code, 2, rejected.stderr);
  });

  it('say what the word of the home is worth', () => {
    const { stdout } = place.run('review', id, ...seen());
    assert.match(stdout, /recorded by the home for operator, not signed by a person's key/);
  });
});
