import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { utf8 } from '../../src/base/bytes.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/hash.js';
import { unwrap } from '../../src/base/result.js';
import type { ResearchWork } from '../../src/kinds/research/work.js';
import type { EngineInput } from '../../src/engines/engine.js';
import { researchEngine } from '../../src/kinds/research/engine/engine.js';
import { findings_max } from '../../src/kinds/research/constants.js';
import type { ResearchResult } from '../../src/kinds/research/result.js';
import { verifyResearch } from '../../src/kinds/research/verify/verify.js';
import { researchSize } from '../../src/kinds/research/size.js';

const input = (goal: string, ...texts: readonly string[]): EngineInput<ResearchWork> => ({
  goal,
  work: { kind: 'research', sources: texts.map((text, i) => ({ id: `s${i}`, title: `Source ${i}`, text, url: '' })) },
  seed: 42,
  population: 20,
  generations: 12,
  effort: { max_evaluations: 10_000 },
  warm_start: null,
});

const answer = (mission: EngineInput<ResearchWork>): ResearchResult => unwrap(researchEngine.run(mission, () => {})).result;

const pilot =
  'The pilot processed 1200 requests over 20 days. Reviewers accepted 1116 resolutions.\nDr. Vega led the review.\n\n' +
  'Security found three open issues. Traces held personal data. Rollout stays blocked until a re-test.';
const cost = 'Compute cost 96 USD in all. Review by people cost 1050 USD. No net saving was observed.';

describe('research engine', () => {
  it('quotes the sentences that match the goal, word for word', () => {
    const mission = input('Who led the review of the pilot?', pilot, cost);
    const { findings, sources, coverage } = answer(mission);
    assert.equal(findings[0]?.quote, 'Dr. Vega led the review.');
    for (const f of findings) {
      const text = mission.work.sources.find((s) => s.id === f.source_id)?.text ?? '';
      assert.equal(text.slice(f.start, f.end), f.quote);
    }
    assert.deepEqual(findings[0]?.terms, ['lead', 'review']);
    assert.deepEqual(
      sources.map((s) => s.sha256),
      [sha256Hex(pilot), sha256Hex(cost)],
    );
    assert.deepEqual(coverage, { terms: ['lead', 'review', 'pilot'], uncovered: [] });
  });

  it('returns no finding when nothing is relevant', () => {
    for (const goal of ['Describe quark confinement', 'the of and', '???']) {
      const mission = input(goal, pilot, cost);
      const result = answer(mission);
      assert.deepEqual(result.findings, []);
      assert.deepEqual(result.coverage.uncovered, result.coverage.terms);
      assert.equal(verifyResearch(mission, result).failure, null);
    }
  });

  it('does not repeat a sentence that several sources share before others have had their turn', () => {
    const echo = 'The reactor was shut down in 1999. ';
    const { findings } = answer(
      input('When was the reactor shut down?', echo, echo, echo, 'The reactor shut down again in 2004 for repairs.'),
    );
    assert.equal(new Set(findings.slice(0, 2).map((f) => f.quote)).size, 2);
  });

  it('gives the golden bytes each time (whoever changes them raises the version) and reports progress to 1', () => {
    const mission = input('cost of review', pilot, cost);
    const seen: number[] = [];
    const first = canonicalJson(unwrap(researchEngine.run(mission, (done) => seen.push(done))).result);
    assert.equal(canonicalJson(answer(mission)), first);
    assert.equal(seen.at(-1), 1);
    assert.equal(sha256Hex(first), '43ff927a496c91229b8626a3bec70f5cc1d848ca9fe4a385c500df84bf0d5c8a');
  });

  it('keeps the largest findings within the bound on bytes', () => {
    const goal = Array.from({ length: 64 }, (_, i) => `${'漢'.repeat(1)}x${'é'.repeat(27)}${i}`).join(' ');
    const texts = Array.from({ length: 20 }, (_, i) => `${goal.slice(i * 65, i * 65 + 590)}。`);
    const mission = input(goal.slice(0, 2000), ...texts);
    const result = answer(mission);
    assert.equal(result.findings.length, findings_max);
    assert.ok(utf8(canonicalJson(result)).length <= researchSize.resultBytes(mission.work));
  });
});
