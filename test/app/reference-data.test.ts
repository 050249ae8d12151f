/** The reference agent's own results: each keeps its rules, and none does with one number changed. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { JsonNode } from '../../src/base/json-node.js';
import { parseJsonNode } from '../../src/base/json-parse.js';
import { unwrap } from '../../src/base/result.js';
import { cut } from '../../src/codec/entry.js';
import { decode } from '../../src/codec/kit.js';
import { missionRequest } from '../../src/kinds/request.js';
import type { Work } from '../../src/kinds/works.js';
import { verifyReference } from '../../src/kinds/reference.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';

const folder = resolve(
  packageRoot(import.meta.url),
  process.env['AGENT_TEST_DATA'] ?? join('..', 'shared', 'data'),
  'reference',
  'exports',
);

const parse = (text: string): JsonNode => unwrap(parseJsonNode(text, { bigIntegers: 'round' }));
const faultOf = (work: Work, text: string): string | null => verifyReference(work, { node: parse(text), text }).failure;

/** Members that no rule looks at. */
const uncovered: Readonly<Record<string, readonly string[]>> = {
  allocation: ['pareto', 'baseline_value', 'improvement', 'optimal_value', 'evaluations'],
  schedule: ['baseline_makespan', 'improvement', 'evaluations'],
  forecast: [],
};

function* numbers(node: JsonNode): Generator<JsonNode> {
  if (typeof node.value === 'number') yield node;
  for (const inner of node.members?.values() ?? node.items ?? []) yield* numbers(inner);
}

real('test-data', 'results of the reference agent', () => {
  it('keeps the rules of the reference agent, and breaks them when any number is changed', () => {
    const names = readdirSync(folder);
    assert.ok(names.length >= 3);
    for (const name of names) {
      const text = readFileSync(join(folder, name), 'utf8');
      const [request, result] = ['request', 'result'].map((member) => cut(text, ['receipt', 'body', 'document', member]) ?? '');
      const { work } = unwrap(decode(missionRequest, parse(request ?? '').value));
      assert.equal(faultOf(work, result ?? ''), null, name);
      let changes = 0;
      for (const [member, node] of parse(result ?? '').members ?? []) {
        if (uncovered[work.kind]?.includes(member)) continue;
        for (const { value, start, end } of numbers(node)) {
          const changed = `${result?.slice(0, start)}${Number(value) + 1}${result?.slice(end)}`;
          assert.notEqual(faultOf(work, changed), null, `${name}: ${member} at ${start}`);
          changes++;
        }
      }
      assert.ok(changes >= 3, `${name}: ${changes} numbers`);
    }
  });
});
