/** The members of a simulation request as the form edits them; the list of sectors has an editor of its own. */
import type { Fields } from '../../../codec/field.js';
import { EitherType, ListType, ObjectType } from '../../../codec/kit.js';
import { simulationInput, type Sector, type SimulationInput } from '../../../codec/simulation.js';
import type { MemberWords } from '../../kit/forms/words.js';

export type RequestMember = Exclude<keyof SimulationInput, 'sectors'>;
export type SectorMember = keyof Sector;

/** The words that each language has for the members: one that is missing does not compile. */
export type FieldWords = { readonly [M in RequestMember]: MemberWords<NonNullable<SimulationInput[M]>> };
export type SectorWords = { readonly [M in SectorMember]: MemberWords };

type Field = Fields[string];

export const requestFields: Readonly<Record<RequestMember, Field>> = simulationInput.fields;

/** The part of the form that a member belongs to; `alike` is for sectors that are all identical. */
const groupOf: Readonly<Record<RequestMember, 'scenario' | 'alike' | 'search' | 'repeat'>> = {
  horizon: 'scenario',
  curve: 'scenario',
  k: 'scenario',
  x0: 'scenario',
  num_sectors: 'alike',
  energy: 'alike',
  entropy: 'alike',
  pop_size: 'search',
  generations: 'search',
  mut_rate: 'search',
  xover_rate: 'search',
  samples: 'repeat',
  seed: 'repeat',
};

export type Group = (typeof groupOf)[RequestMember];

const members = Object.keys(groupOf) as RequestMember[];
export const membersOf = (group: Group): readonly RequestMember[] => members.filter((name) => groupOf[name] === group);

export const sectorFields = sectorFieldsOf();

function sectorFieldsOf(): Readonly<Record<SectorMember, Field>> {
  const { codec } = simulationInput.fields['sectors'] ?? {};
  const list = codec instanceof EitherType ? codec.second : undefined;
  const sector = list instanceof ListType && list.item instanceof EitherType ? list.item.second : undefined;
  if (!(sector instanceof ObjectType)) throw new Error('the sectors of a request are not a list of objects');
  return sector.fields as Readonly<Record<SectorMember, Field>>;
}
