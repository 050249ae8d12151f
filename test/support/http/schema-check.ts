/** Holds a JSON value against a JSON Schema, for the keywords that our documents use. A keyword that it does not know is an error. */

export type Schema = Readonly<Record<string, Loose>>;

/** Keywords that restrict no value, or that others check. */
const silent = new Set(['$schema', 'description', 'title', 'default', 'discriminator']);

/** A value of parsed JSON, whose members are looked at without a check. */
export type Loose = ReturnType<typeof JSON.parse>;

/** Where and why the value does not fit; empty when it does. @param root the document that `$ref`s point into */
export const schemaFaults = (schema: Schema, value: unknown, root: Schema, path = '$'): string[] =>
  Object.entries(schema).flatMap(([keyword, rule]) => {
    if (silent.has(keyword)) return [];
    const check = checks[keyword];
    if (check === undefined) return [`${path}: the keyword ${keyword} is not known`];
    return check(rule, value, { schema, root, path });
  });

interface Place {
  readonly schema: Schema;
  readonly root: Schema;
  readonly path: string;
}
type Check = (rule: Loose, value: Loose, place: Place) => string[];

const unless = (holds: boolean, { path }: Place, why: string): string[] => (holds ? [] : [`${path}: ${why}`]);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fits = (schema: Schema, value: unknown, { root, path }: Place): boolean =>
  schemaFaults(schema, value, root, path).length === 0;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const checks: Readonly<Record<string, Check>> = {
  $ref: (ref: string, value, { root, path }) => {
    const target = ref
      .slice(2)
      .split('/')
      .reduce((at: Loose, step) => at?.[step], root);
    return target === undefined ? [`${path}: ${ref} leads nowhere`] : schemaFaults(target, value, root, path);
  },
  type: (type: string, value, place) =>
    unless(type === 'integer' ? Number.isInteger(value) : typeOf(value) === type, place, `is no ${type}`),
  const: (only, value, place) => unless(value === only, place, `is not ${JSON.stringify(only)}`),
  enum: (all: readonly unknown[], value, place) => unless(all.includes(value), place, `is none of ${all.join(', ')}`),
  anyOf: (all: readonly Schema[], value, place) =>
    unless(
      all.some((one) => fits(one, value, place)),
      place,
      'fits none of anyOf',
    ),
  oneOf: (all: readonly Schema[], value, place) =>
    unless(all.filter((one) => fits(one, value, place)).length === 1, place, 'does not fit exactly one of oneOf'),
  minimum: (least: number, value, place) => unless(typeof value !== 'number' || value >= least, place, `is below ${least}`),
  maximum: (most: number, value, place) => unless(typeof value !== 'number' || value <= most, place, `is above ${most}`),
  minLength: (least: number, value, place) => unless(typeof value !== 'string' || value.length >= least, place, 'is too short'),
  maxLength: (most: number, value, place) => unless(typeof value !== 'string' || value.length <= most, place, 'is too long'),
  pattern: (source: string, value, place) =>
    unless(typeof value !== 'string' || new RegExp(source, 'u').test(value), place, `does not match ${source}`),
  minItems: (least: number, value, place) => unless(!Array.isArray(value) || value.length >= least, place, 'has too few items'),
  maxItems: (most: number, value, place) => unless(!Array.isArray(value) || value.length <= most, place, 'has too many items'),
  items: (schema: Schema, value, { root, path }) =>
    Array.isArray(value) ? value.flatMap((item, i) => schemaFaults(schema, item, root, `${path}[${i}]`)) : [],
  required: (names: readonly string[], value, place) =>
    isObject(value) ? names.flatMap((name) => unless(Object.hasOwn(value, name), place, `lacks ${name}`)) : [],
  properties: (properties: Readonly<Record<string, Schema>>, value, { root, path }) =>
    isObject(value)
      ? Object.entries(properties).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? schemaFaults(schema, value[name], root, `${path}.${name}`) : [],
        )
      : [],
  additionalProperties: (rule: false | Schema, value, { schema, root, path }) =>
    isObject(value)
      ? Object.entries(value)
          .filter(([name]) => !Object.hasOwn(schema['properties'] ?? {}, name))
          .flatMap(([name, member]) =>
            rule === false ? [`${path}: has an unknown ${name}`] : schemaFaults(rule, member, root, `${path}.${name}`),
          )
      : [],
};
