/** The search of a mission as a job: what a worker reads of it, and what it refuses. */
import assert from 'node:assert/strict';
import { computeMission, readAnswer, readMissionJob, writeMissionJob } from '../../../src/app/workers/mission-job.js';
import { runOnThread } from '../../../src/app/threads/engine-thread.js';
import type { EngineInput } from '../../../src/engines/engine.js';
import { engineInput } from '../../../src/kinds/engine-input.js';
import { missionRequest } from '../../../src/kinds/request.js';
import type { Work } from '../../../src/kinds/works.js';
import { decode } from '../../../src/codec/kit.js';
import { unwrap } from '../../../src/base/result.js';
import { minimal } from '../../support/codec/mission-samples.js';

const inputOf = (kind: Work['kind']): EngineInput<Work> =>
  engineInput(unwrap(decode(missionRequest, minimal(kind))), { max_evaluations: 100 }, null);
const changed = (kind: Work['kind'], members: object): Uint8Array =>
  Buffer.from(JSON.stringify({ ...(JSON.parse(Buffer.from(writeMissionJob(inputOf(kind))).toString()) as object), ...members }));

describe('the job of a mission', () => {
  for (const kind of ['allocation', 'schedule'] as const)
    it(`has the result of the engine's thread: ${kind}`, async () => {
      const input = inputOf(kind);
      const here = await runOnThread({ type: 'run', kind, input });
      assert.ok(here.type === 'answered');
      const answer = readAnswer(await computeMission(readMissionJob(writeMissionJob(input))!, () => undefined));
      const { result, iterations, solution } = here;
      assert.deepEqual(answer, { type: 'answered', result, iterations, solution });
    });

  it('is not computed with another engine, another version, further members or another shape', () => {
    const { name, version } = readMissionJob(changed('schedule', {}))!.engine;
    for (const members of [
      { engine: { name, version: `${version}.1` } },
      { engine: { name: 'allocation', version } },
      { more: 1 },
      { seed: -1 },
      { work: {} },
    ])
      assert.equal(readMissionJob(changed('schedule', members)), null, JSON.stringify(members));
    assert.equal(readMissionJob(Buffer.from('{')), null);
  });

  for (const kind of ['research', 'forecast', 'code'] as const)
    it(`cannot be made of a ${kind} mission`, () => {
      assert.throws(() => writeMissionJob(inputOf(kind)), /not computed on other machines/);
      assert.equal(readMissionJob(changed('schedule', { work: inputOf(kind).work })), null);
    });

  it('has a result only in bytes of its own form', () => {
    for (const text of ['', 'null', '{"type":"refused"}', '{"type":"answered","result":1,"iterations":1,"solution":null}'])
      assert.equal(readAnswer(Buffer.from(text)), null, text);
  });
});
