/** Values that a JSON Schema of our OpenAPI documents allows. */
import fc from 'fast-check';
import type { Prng } from '../../src/base/prng.js';
import { pick } from '../support/byte-mutations.js';
import type { Loose, Schema } from '../support/schema-check.js';

const depth_max = 12;
const extra_items_max = 3;
const text_chars_max = 30;

/** Returns a value of the schema. @param root the document that `$ref`s point into */
export function sampleOf(schema: Schema, root: Schema, random: Prng, depth = 0): unknown {
  const { $ref, anyOf, oneOf, type } = schema;
  if ('const' in schema) return schema['const'];
  if (schema['enum'] !== undefined) return pick(schema['enum'] as readonly unknown[], random);
  if (typeof $ref === 'string') return sampleOf(resolved($ref, root), root, random, depth + 1);
  const choices = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (choices !== undefined) return sampleOf(pick(choices, random), root, random, depth + 1);
  switch (type as string | undefined) {
    case 'object':
      return objectOf(schema, root, random, depth);
    case 'array': {
      const { minItems = 0, maxItems = extra_items_max, items = {} } = schema;
      const most = depth > depth_max ? minItems : Math.min(maxItems, (minItems as number) + extra_items_max);
      const count = minItems + random.below(most - minItems + 1);
      return Array.from({ length: count }, () => sampleOf(items, root, random, depth + 1));
    }
    case 'string':
      return textOf(schema, random);
    case 'integer':
    case 'number':
      return numberOf(schema, random);
    case 'boolean':
      return random.below(2) === 0;
    case 'null':
      return null;
    default:
      return pick([null, true, 1, 'any', [], {}], random);
  }
}

const resolved = (ref: string, root: Schema): Schema =>
  ref
    .slice(2)
    .split('/')
    .reduce((at: Loose, step) => at[step], root) as Schema;

function objectOf({ properties = {}, required = [] }: Schema, root: Schema, random: Prng, depth: number): unknown {
  const members = Object.entries(properties as Readonly<Record<string, Schema>>).filter(
    ([name]) => (required as readonly string[]).includes(name) || (depth <= depth_max && random.below(2) === 0),
  );
  return Object.fromEntries(members.map(([name, schema]) => [name, sampleOf(schema, root, random, depth + 1)]));
}

function textOf({ pattern, minLength = 0, maxLength = text_chars_max }: Schema, random: Prng): string {
  if (typeof pattern === 'string' && pattern !== '\\S')
    return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { seed: random.uint32() | 0, numRuns: 1 })[0] ?? '';
  const length = Math.max(minLength, 1 + random.below(Math.min(maxLength, text_chars_max)));
  return Array.from({ length }, () => pick([...'abcdefgh0123 éß漢😀'], random)).join('');
}

function numberOf({ minimum = -1e6, maximum = 1e6, type }: Schema, random: Prng): number {
  const drawn = minimum + random.unit() * (maximum - minimum);
  const value = pick([minimum, maximum, drawn, drawn, Math.min(maximum, minimum + random.below(50))], random) as number;
  return type === 'integer' ? Math.round(value) : value;
}
