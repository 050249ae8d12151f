/**
 * SIGKILL at the steps of a signed approval, the first of two and the one that completes: there is never half an approval, and a retry does the
 * rest. And two processes that approve at once: exactly one completes. By default four steps, TEST_EFFORT=full all. @slow
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForSuite } from '../support/app/temporary-home.js';
import { cold, Operator } from '../support/crash/crash-cli.js';
import { copySandbox, entriesOf, headOf, makeSandbox, type Sandbox } from '../support/crash/crash-sandbox.js';
import type { Scenario } from '../support/crash/crash-scenarios.js';
import { accepted, type Afterwards, mission, type Outcome, verifySettled } from '../support/crash/crash-settle.js';
import { breakAndSettle, slice, type Step, stepsOfRun, sweep } from '../support/crash/crash-steps.js';
import { minimal } from '../support/codec/mission-samples.js';
import { sshKey, sshSign } from '../support/base/ssh-keys.js';
import { fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';

real(['strace', 'ssh-keygen'], 'a signed approval', function () {
  const root = folderForSuite();
  const people = ['alice', 'bob', 'carol'] as const;
  let operator: Operator;
  let first: Sandbox;
  let second: Sandbox;

  const run = async ({ env }: Sandbox, ...argv: readonly string[]): Promise<Record<string, unknown>> =>
    accepted(await operator.run(argv, env), argv.join(' '));
  const approving = ({ root: at }: Sandbox, name: string): string[] => {
    const [subject, signature] = ['subject', 'sig'].map((kind) => join(at, `${name}.${kind}`));
    return ['review', mission, '--subject', subject ?? '', '--signature', signature ?? ''];
  };

  before(async () => {
    operator = new Operator();
    first = makeSandbox(join(root, 'first'));
    const at = (name: string): string => join(first.root, name);
    writeFileSync(at('mission.json'), JSON.stringify(minimal('allocation')));
    await run(first, 'init');
    const keys = people.map((name) => sshKey(first.root, name));
    for (const [i, name] of people.entries()) await run(first, 'approver', 'add', name, '--key', `${keys[i]?.file}.pub`);
    await run(first, 'config', 'set', 'approvals={"required":2}');
    await run(first, 'run', at('mission.json'), '--request-id', mission);
    const looked = await run(first, 'execute', mission);
    const seen = ['--revision', String(looked['revision']), '--result-hash', String(looked['result_hash'])];
    const decision = [...seen, '--approve', '--note', 'fits'];
    for (const [i, name] of people.entries()) {
      const out = ['--subject-out', at(`${name}.subject`), '--key', keys[i]?.fingerprint ?? ''];
      await run(first, 'review', mission, ...decision, ...out);
      writeFileSync(at(`${name}.sig`), sshSign({ file: at(name) }, readFileSync(at(`${name}.subject`), 'utf8')));
    }
    second = copySandbox(first, join(root, 'second'));
    await run(second, ...approving(second, 'alice'));
  });
  after(() => operator.stop());

  const approvers = ({ approvals = [] }: Record<string, unknown>): readonly string[] =>
    (approvals as readonly { readonly approver: string }[]).map(({ approver }) => approver);

  /** All or nothing; what a retry then says; and that what was acknowledged is signed and whole. */
  const settle =
    (who: string, before: readonly string[]) =>
    async (after: Afterwards): Promise<Outcome> => {
      const { cli, sandbox } = after;
      const shown = accepted(await cli(['show', mission]), 'show');
      const isThere = approvers(shown).includes(who);
      assert.deepEqual(approvers(shown), isThere ? [...before, who] : before);
      assert.equal(shown['state'], isThere && before.length === 1 ? 'completed' : 'review');
      const retry = await cli(approving(sandbox, who));
      if (!isThere) assert.equal(retry.code, 0, retry.stderr);
      else assert.equal(retry.refusal, before.length === 1 ? 'stale_revision' : 'already_approved');
      const completing = before.length === 1 ? ['mission.approved', 'mission.completed'] : ['mission.approved'];
      await verifySettled(after, completing);
      return { left: isThere ? 'the approval' : 'nothing', repaired: 'a retry' };
    };
  const scenario = (name: string, template: Sandbox, before: readonly string[]): Scenario => ({
    name,
    template,
    head: headOf(template.home),
    argv: (sandbox) => approving(sandbox, name),
    settle: settle(name, before),
  });

  /** The last one, and the first one or one in the middle. */
  const chosen = (steps: readonly Step[], turn: number): readonly Step[] =>
    [turn * Math.floor(steps.length / 2), steps.length - 1].flatMap((i) => steps[i] ?? []);

  it('is whole or not there after a kill at any step', async () => {
    const steps = [];
    for (const each of [scenario('alice', first, []), scenario('bob', second, ['alice'])])
      steps.push(await stepsOfRun(each, root));
    const due = fullEffort ? steps.flat() : steps.flatMap((each, i) => chosen(slice(each, i), i));
    console.log(`      ${due.length} of ${steps.flat().length} calls`);
    const { done, missed, failures } = await sweep(
      due,
      [operator],
      (step, one, lane) => breakAndSettle(step, 'signal=SIGKILL', one, join(root, `lane-${lane}`)),
      'kills',
    );
    assert.deepEqual(failures, []);
    assert.ok(done.length > 0 && missed <= due.length / 10, `${missed} of ${due.length} calls were not made again`);
    assert.equal(new Set(done.map(({ left }) => left.split(',')[0])).size, 2, 'kills before and after the commit');
  });

  it('completes the mission once when two people approve at once', async () => {
    const sandbox = copySandbox(second, join(root, 'race'));
    const ran = await Promise.all(['bob', 'carol'].map((name) => cold(approving(sandbox, name), sandbox.env)));
    assert.deepEqual(new Set(ran.map(({ code }) => code)), new Set([0, 4]), ran.map(({ stderr }) => stderr).join());
    const types = entriesOf(sandbox.home).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'mission.completed').length, 1);
    assert.equal(types.filter((type) => type === 'mission.approved').length, 2);
    const shown = await run(sandbox, 'show', mission);
    assert.deepEqual([shown['state'], approvers(shown).length, approvers(shown)[0]], ['completed', 2, 'alice']);
  });
});
