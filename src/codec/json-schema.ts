/** The JSON Schema (draft 2020-12) of this program's codecs, read from their `_tag`s. */
import type * as t from 'io-ts';
import { Fault } from '../base/refusal.js';
import {
  ChoiceType,
  EitherType,
  IntegerTextType,
  ListType,
  MapType,
  NumberType,
  ObjectType,
  TaggedType,
  TextType,
  RefinedType,
} from './kit.js';

export type Schema = Readonly<Record<string, unknown>>;

/** Collects the schemas of named objects; every other shape is written where it is used. */
export class Schemas {
  private readonly names = new Map<t.Mixed, string>();
  private readonly byName = new Map<string, Schema>();

  /** @param path where the document has them */
  constructor(private readonly path = '#/components/schemas/') {}

  /** The collected schemas by name, sorted. */
  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.byName].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** @throws Fault for a codec without a known schema, and for two named objects with the same name */
  of(codec: t.Mixed): Schema {
    if (codec instanceof ObjectType) return this.named(codec, () => this.object(codec));
    if (codec instanceof TaggedType) return this.named(codec, () => this.tagged(codec));
    if (codec instanceof ListType) {
      const { item, min, max } = codec;
      return { type: 'array', items: this.of(item), ...least('minItems', min), ...most('maxItems', max) };
    }
    if (codec instanceof EitherType) return { anyOf: [this.of(codec.first), this.of(codec.second)] };
    if (codec instanceof RefinedType) return this.of(codec.base);
    if (codec instanceof MapType) return { type: 'object', additionalProperties: this.of(codec.item) };
    return plain(codec);
  }

  private named(codec: t.Mixed, make: () => Schema): Schema {
    if (!this.names.has(codec)) {
      const { name } = codec;
      if (this.byName.has(name)) throw new Fault(`two shapes are called ${name}`);
      this.names.set(codec, name);
      this.byName.set(name, {});
      this.byName.set(name, make());
    }
    return { $ref: `${this.path}${codec.name}` };
  }

  private object({ fields, unknownMembers }: Pick<ObjectType<unknown>, 'fields' | 'unknownMembers'>): Schema {
    const entries = Object.entries(fields);
    const properties = entries.map(([name, field]) => {
      const { description } = field;
      const schema = { ...this.of(field.codec), ...(description === undefined ? {} : { description }) };
      return [name, field.kind === 'default' ? { ...schema, default: field.fallback } : schema] as const;
    });
    const required = entries.filter(([, { kind }]) => kind === 'required').map(([name]) => name);
    const closed = unknownMembers === 'kept' ? {} : { additionalProperties: false };
    return { type: 'object', properties: Object.fromEntries(properties), required, ...closed };
  }

  private tagged({ tag, variants }: TaggedType<unknown>): Schema {
    const refs = Object.entries(variants).map(([value, variant]) => [value, this.of(variant)] as const);
    const mapping = Object.fromEntries(refs.map(([value, { $ref }]) => [value, $ref]));
    return { oneOf: refs.map(([, ref]) => ref), discriminator: { propertyName: tag, mapping } };
  }
}

/** Returns the schema of a shape that contains no others. */
function plain(codec: t.Mixed): Schema {
  if (codec instanceof NumberType) {
    const { integer, min, max } = codec;
    // Every finite number is JSON; the largest ones are no bound that a client could use.
    const [lowest, highest] = integer
      ? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
      : [-Number.MAX_VALUE, Number.MAX_VALUE];
    return { type: integer ? 'integer' : 'number', ...least('minimum', min, lowest), ...least('maximum', max, highest) };
  }
  if (codec instanceof IntegerTextType) return { type: 'integer', minimum: codec.min, ...most('maximum', codec.max) };
  if (codec instanceof TextType) {
    const { min = 0, max = Number.MAX_SAFE_INTEGER, pattern, notBlank = false } = codec.rule;
    const source = pattern?.source ?? (notBlank ? '\\S' : null);
    return {
      type: 'string',
      ...least('minLength', min),
      ...most('maxLength', max),
      ...(source === null ? {} : { pattern: source }),
    };
  }
  if (codec instanceof ChoiceType) return ofChoice(codec.choices);
  if (codec.name === 'unknown') return {};
  // Checked as a whole, because there may be a million of them.
  if (codec.name === 'number[]') return { type: 'array', items: { type: 'number' } };
  throw new Fault(`${codec.name} has no schema`);
}

const least = (name: string, value: number, absent = 0): Schema => (value === absent ? {} : { [name]: value });
const most = (name: string, value: number): Schema => (value === Number.MAX_SAFE_INTEGER ? {} : { [name]: value });

function ofChoice(choices: readonly unknown[]): Schema {
  const types = [...new Set(choices.map((value) => (value === null ? 'null' : typeof value)))];
  const [type] = types;
  if (type === 'null' || (type === 'boolean' && choices.length === 2)) return { type };
  const typed = types.length === 1 ? { type } : {};
  return choices.length === 1 ? { ...typed, const: choices[0] } : { ...typed, enum: choices };
}
