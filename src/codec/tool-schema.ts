/** The JSON Schema (draft 2020-12) of a tool manifest, made from the table that the codec is made from. */
import type * as t from 'io-ts';
import { Fault } from '../base/fault.js';
import { ChoiceType, ListType, TextType } from './kit.js';
import { manifestMembers } from './tool-manifest.js';

export type Schema = Readonly<Record<string, unknown>>;

/** The schema allows undeclared members, because it does not set `additionalProperties`. */
export const manifestSchema = (): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'AEP-005-TOOL-MANIFEST',
  description: 'One tool: its permissions, risk, effects, data, approval, audit and evidence needs, owner and status.',
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(manifestMembers).map(([name, { codec, about }]) => [name, { description: about, ...schemaOf(codec) }]),
  ),
  required: Object.keys(manifestMembers),
});

function schemaOf(codec: t.Mixed): Schema {
  if (codec instanceof TextType) return { type: 'string' };
  if (codec instanceof ListType) return { type: 'array', items: schemaOf(codec.item) };
  if (codec instanceof ChoiceType) return ofChoice(codec.choices);
  throw new Fault(`${codec.name} has no schema`);
}

function ofChoice(choices: readonly unknown[]): Schema {
  if (choices.every((value) => typeof value === 'boolean')) return { type: 'boolean' };
  return choices.length === 1 ? { type: 'string', const: choices[0] } : { type: 'string', enum: choices };
}
