/**
 * The members of what is hashed: mission requests, simulation requests, configurations. Hashes are over these members with their defaults, so
 * that a later member must be `added(…)`, which leaves it out while it has its default. A failure here means: use `added`.
 */
import assert from 'node:assert/strict';
import type * as t from 'io-ts';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { isRefused } from '../../src/base/refusal.js';
import { canonicalOf, canonicalText } from '../../src/codec/canonical.js';
import { configCodec } from '../../src/codec/config.js';
import {
  added,
  choice,
  decode,
  EitherType,
  integer,
  list,
  ListType,
  MapType,
  nullable,
  object,
  ObjectType,
  optional,
  required,
  tagged,
  TaggedType,
  text,
} from '../../src/codec/kit.js';
import type { Fields } from '../../src/codec/field.js';
import { missionRequest } from '../../src/kinds/request.js';
import { simulationInput } from '../../src/codec/simulation.js';

/** The members of each object that were there from the beginning, by their kind. */
function members(codec: t.Mixed, path = ''): string[] {
  if (codec instanceof EitherType) return [...members(codec.first, path), ...members(codec.second, path)];
  if (codec instanceof ListType) return members(codec.item, `${path}[]`);
  if (codec instanceof MapType) return members(codec.item, `${path}{}`);
  if (codec instanceof TaggedType)
    return Object.entries(codec.variants).flatMap(([name, variant]) => members(variant, `${path}(${name})`));
  if (!(codec instanceof ObjectType)) return [];
  const first = Object.entries(codec.fields as Fields).filter(([, { since }]) => since === undefined);
  const ofKind = (wanted: string): string[] => first.filter(([, { kind }]) => kind === wanted).map(([name]) => name);
  const kinds = ['required', 'default', 'optional'].filter((kind) => ofKind(kind).length > 0);
  const own = kinds.map((kind) => `${kind} ${ofKind(kind).toSorted().join(' ')}`).join('; ');
  return [`${path || '.'}: ${own}`, ...first.flatMap(([name, { codec: inner }]) => members(inner, `${path}.${name}`))];
}

const frozen = `
.: required goal work; default generations population seed; optional effort provenance
.provenance: required files; optional changed
.provenance.files[]: required bytes notes reader sha256 version; optional choices mapping name rows sheet
.work(allocation): required budget items kind; default unit; optional max_risk
.work(allocation).items[]: required cost id value; default risk; optional excludes group required requires title
.work(code): required heldout kind; default candidate examples language
.work(code).examples[]: required args expected
.work(code).heldout[]: required args expected
.work(forecast): required kind observations; default holdout horizon levels season unit; optional gaps may_be_negative outliers regressors seasons
.work(research): required kind sources
.work(research).sources[]: required id text title; default url; optional blocks file
.work(research).sources[].blocks[]: required end start type; optional header page under
.work(schedule): required jobs kind; default objective unit; optional calendar machines start
.work(schedule).calendar: required weekly; optional extra holidays
.work(schedule).calendar.extra[]: required date hours
.work(schedule).calendar.weekly: optional fri mon sat sun thu tue wed
.work(schedule).jobs[]: required id operations; default release weight; optional due title
.work(schedule).jobs[].operations[]: required duration machine
.work(schedule).machines[]: required id title`;

const frozenSimulation = `
.: default curve energy entropy generations horizon k mut_rate num_sectors pop_size samples sectors x0 xover_rate; optional seed spread
.sectors[]: required name; default energy entropy growth`;

const frozenConfiguration = `
.: default allow_code_execution allow_remote_llm chain llm_key_env llm_model llm_timeout llm_url max_evaluations max_output_tokens max_source_chars name
.chain: required rpc_url token_code_sha256; default chain_id confirmations reinvest_bps`;

describe('the members that every hash covers', () => {
  for (const [name, codec, shape] of [
    ['a mission', missionRequest, frozen],
    ['a simulation', simulationInput, frozenSimulation],
    ['a configuration', configCodec, frozenConfiguration],
  ] as const)
    it(`are those of ${name}; a later member is optional or added(…)`, () => {
      assert.deepEqual(members(codec).toSorted(), shape.trim().split('\n').toSorted());
    });
});

describe('a member that was added later', () => {
  const inner = { id: required(text()), weight: added('9.0.0', integer(0, 9), 1) };
  const shape = object('Shape', {
    goal: required(text()),
    levels: added('9.0.0', list(integer(0, 9), 0, 9), [1, 2]),
    item: optional(nullable(object('Inner', inner))),
    work: required(
      tagged('Work', 'kind', {
        a: object('A', { kind: required(choice('a')), jobs: required(list(object('Job', inner), 0, 9)) }),
      }),
    ),
  });
  const decoded = (value: unknown) => {
    const result = decode(shape, value);
    assert.ok(!isRefused(result), JSON.stringify(result));
    return result.right;
  };
  const before = { goal: 'g', item: { id: 'x' }, work: { kind: 'a', jobs: [{ id: 'y' }, { id: 'z' }] } };

  it('has its default when it is absent', () => {
    const value = decoded(before);
    assert.deepEqual([value.levels, value.item?.weight, value.work.jobs[1]?.weight], [[1, 2], 1, 1]);
  });

  it('is left out at every depth while it has its default, given or not', () => {
    assert.equal(canonicalText(shape, decoded(before)), canonicalJson(before));
    const given = { ...before, levels: [1, 2], item: { id: 'x', weight: 1 } };
    assert.equal(canonicalText(shape, decoded(given)), canonicalJson(before));
  });

  it('is kept with any other value', () => {
    const given = { ...before, levels: [], work: { kind: 'a', jobs: [{ id: 'y', weight: 2 }, { id: 'z' }] } };
    assert.deepEqual(canonicalOf(shape, decoded(given)), given);
  });
});
