/** Manifests with known faults: each is a JSON text and the paths of exactly the faults that it holds. */
import fc from 'fast-check';
import { classes, givenManifest } from './given-tools.js';

/** Members by what they take, written from the specification's table. */
export const texts = ['tool_id', 'schema_version', 'tool_name', 'tool_version', 'provider', 'description', 'owner'] as const;
export const flags = [
  'external_effect',
  'rollback_supported',
  'compensation_supported',
  'audit_required',
  'evidence_required',
] as const;
export const textLists = ['side_effects', 'data_access'] as const;
export const classLists = ['permission_classes_supported', 'approval_required_for'] as const;
export const choices = {
  schema: ['AEP-005-TOOL-MANIFEST'],
  default_permission: classes,
  risk_class: ['low', 'medium', 'high', 'protected', 'restricted'],
  status: ['active', 'deprecated', 'disabled', 'quarantined', 'draft'],
} as const;

export const names = [...texts, ...flags, ...textLists, ...classLists, ...Object.keys(choices)];

/** JSON that the parser takes: integers are safe ones. */
const json = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0.5),
  fc.integer(),
  fc.string(),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', ''), fc.string(), { maxKeys: 2, noNullPrototype: true }),
);
const notText = fc.constantFrom<unknown>(null, 0, 1, -1.5, true, false, [], ['x'], {}, { x: 'y' });
const notFlag = fc.constantFrom<unknown>(null, 0, 1, 'true', 'false', '', [], [true], {});
const notList = fc.constantFrom<unknown>(null, 0, true, '', 'read', {}, { 0: 'read', length: 1 });
const word = fc.string({ maxLength: 12 });
const outside = (allowed: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    notText,
    word.filter((text) => !allowed.includes(text)),
    fc.constantFrom(...allowed).map((text) => `${text} `),
    fc.constantFrom(...allowed).map((text) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())),
  );

interface Fault {
  readonly name: string;
  /** The member's value, or undefined for a member that is missing. */
  readonly value: unknown;
  readonly paths: readonly string[];
}

const wrong = (name: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<Fault> =>
  values.map((value) => ({ name, value, paths: [name] }));

/** A list in which some items are good and at least one is not. */
function wrongItems(name: string, good: fc.Arbitrary<string>, bad: fc.Arbitrary<unknown>): fc.Arbitrary<Fault> {
  const item = fc.oneof(
    good.map((value) => ({ value: value as unknown, fits: true })),
    bad.map((value) => ({ value, fits: false })),
  );
  return fc
    .array(item, { minLength: 1, maxLength: 6 })
    .filter((items) => items.some(({ fits }) => !fits))
    .map((items) => ({
      name,
      value: items.map(({ value }) => value),
      paths: items.flatMap(({ fits }, i) => (fits ? [] : [`${name}[${i}]`])),
    }));
}

/** One fault of one member. */
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constantFrom(...names).map((name) => ({ name, value: undefined, paths: [name] })),
  fc.constantFrom(...texts).chain((name) => wrong(name, notText)),
  fc.constantFrom(...flags).chain((name) => wrong(name, notFlag)),
  fc.constantFrom(...textLists, ...classLists).chain((name) => wrong(name, notList)),
  fc.constantFrom(...textLists).chain((name) => wrongItems(name, word, notText)),
  fc.constantFrom(...classLists).chain((name) => wrongItems(name, fc.constantFrom(...classes), outside(classes))),
  fc.constantFrom(...Object.entries(choices)).chain(([name, allowed]) => wrong(name, outside(allowed))),
);

/** A manifest that fits, members in any order, with members that nobody declared. */
export const good: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .record({
    ...Object.fromEntries(texts.map((name) => [name, fc.string()])),
    ...Object.fromEntries(flags.map((name) => [name, fc.boolean()])),
    ...Object.fromEntries(textLists.map((name) => [name, fc.array(fc.string(), { maxLength: 4 })])),
    ...Object.fromEntries(classLists.map((name) => [name, fc.array(fc.constantFrom(...classes), { maxLength: 5 })])),
    ...Object.fromEntries(Object.entries(choices).map(([name, allowed]) => [name, fc.constantFrom(...allowed)])),
  })
  .chain((manifest) =>
    fc
      .dictionary(
        word.filter((key) => !names.includes(key) && key !== '__proto__'),
        json,
        { maxKeys: 3 },
      )
      .map((more) => ({ ...more, ...manifest })),
  );

export interface Bad {
  readonly text: string;
  readonly manifest: unknown;
  readonly paths: readonly string[];
}

/** One to four members at fault at once. */
export const faulty: fc.Arbitrary<Bad> = fc
  .uniqueArray(fault, { minLength: 1, maxLength: 4, selector: ({ name }) => name })
  .map((faults) => {
    const manifest: Record<string, unknown> = { ...givenManifest() };
    for (const { name, value } of faults) {
      if (value === undefined) delete manifest[name];
      else manifest[name] = value;
    }
    return { text: JSON.stringify(manifest), manifest, paths: faults.flatMap(({ paths }) => paths).toSorted() };
  });
