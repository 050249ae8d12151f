/** `erase` of a decided research mission, as a command that is broken at its steps. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operator } from './crash-cli.js';
import { headOf, makeSandbox, type Sandbox } from './crash-sandbox.js';
import type { Scenario } from './crash-scenarios.js';
import {
  accepted,
  mission,
  refused,
  reviewOf,
  verifyKept,
  verifySettled,
  type Afterwards,
  type Looked,
  type Outcome,
} from './crash-settle.js';

const secret = 'Mrs Brandauer keeps bees';
const request = {
  goal: 'When is high water?',
  work: { kind: 'research', sources: [{ id: 'a', title: 'A letter', text: `${secret}. High water is at six.` }] },
};

const holdsSecret = ({ home }: Sandbox): boolean =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(secret));

export async function eraseScenario(operator: Operator, root: string): Promise<Scenario> {
  const template = makeSandbox(join(root, 'decided'));
  const file = join(template.root, 'mission.json');
  writeFileSync(file, JSON.stringify(request));
  const run = async (...argv: readonly string[]): Promise<Record<string, unknown>> =>
    accepted(await operator.run(argv, template.env), argv.join(' '));
  await run('init');
  const looked = (await run('run', file, '--request-id', mission, '--execute')) as unknown as Looked;
  await run(...reviewOf(looked));
  ok(holdsSecret(template));
  const argv = (): string[] => ['erase', mission, '--reason', 'asked'];
  return { name: 'erase', template, head: headOf(template.home), argv, settle: settleErase };
}

async function settleErase(after: Afterwards): Promise<Outcome> {
  const { cli, sandbox } = after;
  await verifyKept(after);
  const { erased } = accepted(await cli(['show', mission]), 'show');
  const retry = await cli(['erase', mission, '--reason', 'asked']);
  if (erased === true) refused(retry, 4, 'wrong_state', 'a retry of erase');
  else strictEqual(accepted(retry, 'a retry of erase')['erased'], true);
  deepStrictEqual(holdsSecret(sandbox), false, 'the erased text is still in the home');
  await verifySettled(after, ['mission.erased']);
  return erased === true
    ? { left: 'the erasure, recorded', repaired: 'a retry empties the log and says wrong_state' }
    : { left: 'the mission, not erased', repaired: 'erase again' };
}
