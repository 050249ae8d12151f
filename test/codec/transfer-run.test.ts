/** Reports of strangers: every member missing, of another type, unknown; the limits of a review. */
import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { decodeRun, type TransferReview } from '../../src/codec/transfer-run.js';
import { changed, paths, type Path } from '../support/codec/mutants.js';
import { reviewed, runOf } from '../support/app/transfer-samples.js';

const run = reviewed(runOf());
function read(document: unknown): string {
  const said = decodeRun(Buffer.from(canonicalJson(document)));
  return E.isLeft(said) ? `${said.left.code}: ${said.left.detail}` : 'read';
}
const shown = (path: Path): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');
const valueAt = (path: Path): unknown => path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], run);

/** Every member, and of equal items the first. */
const members = [...paths(run)].filter((path) => path.every((step) => typeof step !== 'number' || step === 0));

describe('transfer run: members', () => {
  it('is read unchanged, and without a review', () => {
    assert.equal(read(run), 'read');
    assert.equal(read(runOf()), 'read');
  });

  for (const path of members.filter((each) => typeof each.at(-1) === 'string')) {
    it(`requires ${shown(path)}`, () => {
      assert.equal(read(changed(run, path, () => undefined)), `invalid: ${shown(path)}: required`);
    });
  }

  for (const path of members) {
    it(`requires one type for ${shown(path)}`, () => {
      const kind = (value: unknown): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);
      const own = kind(valueAt(path));
      for (const value of [null, true, 1, 'last', [], {}, [[]]]) {
        if (kind(value) === own || (value === null && shown(path) === 'review')) continue;
        const said = read(changed(run, path, () => value));
        assert.ok(said.startsWith(`invalid: ${shown(path)}: `), `${JSON.stringify(value)} at ${shown(path)}: ${said}`);
      }
    });
  }

  for (const path of [[], ...members.filter((each) => typeof valueAt(each) === 'object' && !Array.isArray(valueAt(each)))]) {
    if (path.length > 0 && valueAt(path) === null) continue;
    it(`refuses other members of ${shown(path) || 'the run'}`, () => {
      const extra = [...path, 'extra'];
      assert.equal(read(changed(run, extra, () => 1)), `invalid: ${shown(extra)}: unknown member`);
    });
  }
});

describe('transfer run: fixed texts', () => {
  const fixed: readonly (readonly [string, readonly string[]])[] = [
    ['schema', ['schema']],
    ['core.capability.schema', ['core', 'capability', 'schema']],
    ['core.capability.learner', ['core', 'capability', 'learner']],
    ['core.evidence_contact.level', ['core', 'evidence_contact', 'level']],
    ['observations.source', ['observations', 'source']],
  ];
  for (const [name, path] of fixed) {
    it(`accepts only one text for ${name}`, () => {
      assert.match(read(changed(run, path, (text) => `${String(text)}x`)), new RegExp(`^invalid: ${name}: must be "`));
    });
  }

  it('accepts only known policies', () => {
    const path = ['core', 'arms', 'B0', 'tasks', 0, 'policy'];
    assert.match(
      read(changed(run, path, () => 'seasonal-9')),
      /^invalid: core\.arms\.B0\.tasks\[0\]\.policy: must be one of last, /,
    );
  });

  it('refuses a measured energy', () => {
    assert.match(read(changed(run, ['observations', 'energy_wh'], () => 1)), /^invalid: observations\.energy_wh: /);
  });
});

describe('transfer run: limits', () => {
  const review = (changes: Partial<Record<keyof TransferReview, unknown>>): string =>
    read({ ...run, review: { ...run.review, ...changes } });

  for (const member of ['reviewer', 'reason'] as const) {
    it(`requires 1 to 500 characters that are not blank for ${member}`, () => {
      for (const text of ['x', 'x'.repeat(500), '\u{1f9ea}'.repeat(500), 'été']) assert.equal(review({ [member]: text }), 'read');
      for (const text of ['', ' ', '\t\n', '\u0000', '\u00a0\u2003', 'x'.repeat(501), '\u{1f9ea}'.repeat(501)]) {
        assert.equal(
          review({ [member]: text }),
          `invalid: review.${member}: must be a text of 1 to 500 characters that is not blank`,
        );
      }
    });
  }

  for (const member of ['control_ms', 'treatment_ms'] as const) {
    it(`accepts from 1 ms to a day for ${member}`, () => {
      for (const ms of [1, 86_400_000]) assert.equal(review({ [member]: ms }), 'read');
      for (const ms of [0, -1, 86_400_001]) {
        assert.equal(review({ [member]: ms }), `invalid: review.${member}: must be an integer from 1 to 86400000`);
      }
    });
  }

  it('accepts from 1 ms to a day for wall_ms', () => {
    const wall = (ms: number): string => read(changed(run, ['observations', 'wall_ms'], () => ms));
    assert.deepEqual([1, 86_400_000].map(wall), ['read', 'read']);
    const refused = 'invalid: observations.wall_ms: must be an integer from 1 to 86400000';
    assert.deepEqual([0, 86_400_001].map(wall), [refused, refused]);
  });

  it('accepts only known decisions and timing sources', () => {
    for (const decision of ['accept', 'reject', 'repair']) assert.equal(review({ decision }), 'read');
    for (const timing_source of ['operator-reported', 'browser-elapsed']) assert.equal(review({ timing_source }), 'read');
    assert.equal(review({ decision: 'Accept' }), 'invalid: review.decision: must be one of accept, reject, repair');
    assert.equal(
      review({ timing_source: 'guessed' }),
      'invalid: review.timing_source: must be one of operator-reported, browser-elapsed',
    );
  });

  it('requires 64 lower-case hexadecimal digits for digests', () => {
    for (const path of [['sha256'], ['core', 'spec_sha256'], ['review', 'run_sha256']]) {
      for (const text of ['', 'A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(64)}\n`]) {
        assert.match(read(changed(run, path, () => text)), new RegExp(`^invalid: ${path.join('\\.')}: must match`));
      }
    }
  });
});
