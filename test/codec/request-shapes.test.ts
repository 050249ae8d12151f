/**
 * The members of what is hashed: mission requests, simulation requests, configurations. Hashes are over these members with their defaults, so
 * that a later member must be `added(…)`, which leaves it out while it has its default. A failure here means: use `added`.
 */
import assert from 'node:assert/strict';
import type * as t from 'io-ts';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { isRefused } from '../../src/base/result.js';
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

/** Paths of the members that were there from the beginning, each with its kind. */
function members(codec: t.Mixed, path = ''): string[] {
  if (codec instanceof EitherType) return [...members(codec.first, path), ...members(codec.second, path)];
  if (codec instanceof ListType) return members(codec.item, `${path}[]`);
  if (codec instanceof MapType) return members(codec.item, `${path}{}`);
  if (codec instanceof TaggedType)
    return Object.entries(codec.variants).flatMap(([name, variant]) => members(variant, `${path}(${name})`));
  if (!(codec instanceof ObjectType)) return [];
  return Object.entries(codec.fields as Fields)
    .filter(([, { since }]) => since === undefined)
    .flatMap(([name, { kind, codec: inner }]) => [`${path}.${name} ${kind}`, ...members(inner, `${path}.${name}`)]);
}

const frozen = `
.goal required
.work required
.work(research).kind required
.work(research).sources required
.work(research).sources[].id required
.work(research).sources[].title required
.work(research).sources[].text required
.work(research).sources[].url default
.work(allocation).kind required
.work(allocation).items required
.work(allocation).items[].id required
.work(allocation).items[].cost required
.work(allocation).items[].value required
.work(allocation).items[].risk default
.work(allocation).items[].required optional
.work(allocation).items[].group optional
.work(allocation).items[].requires optional
.work(allocation).items[].excludes optional
.work(allocation).budget required
.work(allocation).max_risk optional
.work(allocation).unit default
.work(schedule).kind required
.work(schedule).jobs required
.work(schedule).jobs[].id required
.work(schedule).jobs[].operations required
.work(schedule).jobs[].operations[].machine required
.work(schedule).jobs[].operations[].duration required
.work(schedule).jobs[].release default
.work(schedule).jobs[].due optional
.work(schedule).jobs[].weight default
.work(schedule).objective default
.work(schedule).unit default
.work(forecast).kind required
.work(forecast).observations required
.work(forecast).horizon default
.work(forecast).holdout default
.work(forecast).season default
.work(forecast).seasons optional
.work(forecast).levels default
.work(forecast).outliers optional
.work(forecast).may_be_negative optional
.work(forecast).regressors optional
.work(forecast).unit default
.work(code).kind required
.work(code).language default
.work(code).examples default
.work(code).examples[].args required
.work(code).examples[].expected required
.work(code).heldout required
.work(code).heldout[].args required
.work(code).heldout[].expected required
.work(code).candidate default
.seed default
.population default
.generations default`;

/** What a file gives: left out of a request that was typed. */
const frozenFromFiles = `
.effort optional
.provenance optional
.provenance.changed optional
.provenance.files required
.provenance.files[].bytes required
.provenance.files[].choices optional
.provenance.files[].mapping optional
.provenance.files[].name optional
.provenance.files[].notes required
.provenance.files[].reader required
.provenance.files[].rows optional
.provenance.files[].sha256 required
.provenance.files[].sheet optional
.provenance.files[].version required
.work(allocation).items[].title optional
.work(forecast).gaps optional
.work(research).sources[].blocks optional
.work(research).sources[].blocks[].end required
.work(research).sources[].blocks[].header optional
.work(research).sources[].blocks[].page optional
.work(research).sources[].blocks[].start required
.work(research).sources[].blocks[].type required
.work(research).sources[].blocks[].under optional
.work(research).sources[].file optional
.work(schedule).calendar optional
.work(schedule).calendar.extra optional
.work(schedule).calendar.extra[].date required
.work(schedule).calendar.extra[].hours required
.work(schedule).calendar.holidays optional
.work(schedule).calendar.weekly required
.work(schedule).calendar.weekly.fri optional
.work(schedule).calendar.weekly.mon optional
.work(schedule).calendar.weekly.sat optional
.work(schedule).calendar.weekly.sun optional
.work(schedule).calendar.weekly.thu optional
.work(schedule).calendar.weekly.tue optional
.work(schedule).calendar.weekly.wed optional
.work(schedule).jobs[].title optional
.work(schedule).machines optional
.work(schedule).machines[].id required
.work(schedule).machines[].title required
.work(schedule).start optional`;

const frozenSimulation = `
.horizon default
.pop_size default
.generations default
.mut_rate default
.xover_rate default
.curve default
.k default
.x0 default
.energy default
.entropy default
.num_sectors default
.seed optional
.samples default
.spread optional
.sectors default
.sectors[].name required
.sectors[].energy default
.sectors[].entropy default
.sectors[].growth default`;

const frozenConfiguration = `
.name default
.llm_url default
.llm_model default
.llm_key_env default
.llm_timeout default
.max_output_tokens default
.max_source_chars default
.max_evaluations default
.allow_remote_llm default
.allow_code_execution default
.chain default
.chain.rpc_url required
.chain.chain_id default
.chain.token_code_sha256 required
.chain.confirmations default
.chain.reinvest_bps default`;

const lines = (shape: string): string[] => shape.trim().split('\n').toSorted();

describe('the members that every hash covers', () => {
  for (const [name, codec, shape] of [
    ['a mission', missionRequest, `${frozen}${frozenFromFiles}`],
    ['a simulation', simulationInput, frozenSimulation],
    ['a configuration', configCodec, frozenConfiguration],
  ] as const)
    it(`are those of ${name}; a later member is optional or added(…)`, () => {
      assert.deepEqual(members(codec).toSorted(), lines(shape));
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
