/** The six commands of the kill sweep, each with the home that it begins in. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operator } from './crash-cli.js';
import { copySandbox, headOf, makeSandbox, type Sandbox } from './crash-sandbox.js';
import {
  accepted,
  exportOf,
  mission,
  reviewOf,
  settleConfigure,
  settleExecute,
  settleExport,
  settleInit,
  settleReview,
  settleRun,
  type Afterwards,
  type Looked,
  type Outcome,
} from './crash-settle.js';
import { minimal } from '../codec/mission-samples.js';

export interface Scenario {
  readonly name: string;
  readonly template: Sandbox;
  /** What was acknowledged before the command, or null. */
  readonly head: string | null;
  readonly argv: (sandbox: Sandbox) => string[];
  readonly settle: (after: Afterwards) => Promise<Outcome>;
}

const earlier = 'c0a8012e-7d39-4b6e-8f54-5a1d3e2b9c70';

/** Builds the six starting points, each from the one before. */
export async function prepareScenarios(operator: Operator, root: string): Promise<Scenario[]> {
  const empty = makeSandbox(join(root, 'empty'));
  writeFileSync(join(empty.root, 'mission.json'), JSON.stringify(minimal('allocation')));
  writeFileSync(join(empty.root, 'earlier.json'), JSON.stringify(minimal('forecast')));
  const run = async (sandbox: Sandbox, ...argv: readonly string[]): Promise<Record<string, unknown>> =>
    accepted(await operator.run(argv, sandbox.env), argv.join(' '));
  const after = (from: Sandbox, name: string): Sandbox => copySandbox(from, join(root, name));

  const home = after(empty, 'home');
  await run(home, 'init');
  await run(home, 'run', join(home.root, 'earlier.json'), '--request-id', earlier);
  const queued = after(home, 'queued');
  await run(queued, 'run', join(queued.root, 'mission.json'), '--request-id', mission);
  const inReview = after(queued, 'in-review');
  const looked = (await run(inReview, 'execute', mission)) as unknown as Looked;
  const completed = after(inReview, 'completed');
  await run(completed, ...reviewOf(looked));
  const paused = after(completed, 'paused');
  await run(paused, 'pause');
  const config = { ...(await run(paused, 'config', 'show')), max_evaluations: 777 };
  writeFileSync(join(paused.root, 'config.json'), JSON.stringify(config));

  const scenario = (name: string, template: Sandbox, argv: Scenario['argv'], settle: Scenario['settle']): Scenario => ({
    name,
    template,
    head: template === empty ? null : headOf(template.home),
    argv,
    settle,
  });
  return [
    scenario('init', empty, () => ['init'], settleInit),
    scenario('run', home, (s) => ['run', join(s.root, 'mission.json'), '--request-id', mission], settleRun),
    scenario('execute', queued, () => ['execute', mission], settleExecute),
    scenario(
      'review',
      inReview,
      () => reviewOf(looked),
      (a) => settleReview(a, looked),
    ),
    scenario('configure', paused, (s) => ['configure', join(s.root, 'config.json')], settleConfigure),
    scenario('export', completed, (s) => ['export', mission, '--output', exportOf(s)], settleExport),
  ];
}
