/** Manifests with known faults: each is a JSON text and the paths of exactly the faults that it holds. */
import fc from 'fast-check';
import { classes, givenManifest } from './given-tools.js';

/** What a member takes, some values that it does not, and the same of its items. */
interface Takes {
  readonly good: fc.Arbitrary<unknown>;
  readonly bad: fc.Arbitrary<unknown>;
  readonly item?: Takes;
}

const anyText: Takes = { good: fc.string(), bad: fc.constantFrom<unknown>(null, 0, -1.5, true, [], ['x'], {}, { x: 'y' }) };
const flag: Takes = { good: fc.boolean(), bad: fc.constantFrom<unknown>(null, 0, 1, 'true', '', [], [true], {}) };
const choice = (...allowed: readonly string[]): Takes => ({
  good: fc.constantFrom(...allowed),
  bad: fc.oneof(
    anyText.bad,
    fc.string().filter((text) => !allowed.includes(text)),
    fc.constantFrom(
      ...allowed.flatMap((text) => [`${text} `, text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()]),
    ),
  ),
});
const listOf = (item: Takes): Takes => ({
  good: fc.array(item.good, { maxLength: 5 }),
  bad: fc.constantFrom<unknown>(null, 0, true, '', 'read', {}, { 0: 'read', length: 1 }),
  item,
});

/** The members, written from the specification's table. */
const texts = 'tool_id schema_version tool_name tool_version provider description owner'.split(' ');
const flags = 'external_effect rollback_supported compensation_supported audit_required evidence_required'.split(' ');
const members: Readonly<Record<string, Takes>> = {
  ...Object.fromEntries(texts.map((name) => [name, anyText])),
  ...Object.fromEntries(flags.map((name) => [name, flag])),
  side_effects: listOf(anyText),
  data_access: listOf(anyText),
  permission_classes_supported: listOf(choice(...classes)),
  approval_required_for: listOf(choice(...classes)),
  schema: choice('AEP-005-TOOL-MANIFEST'),
  default_permission: choice(...classes),
  risk_class: choice('low', 'medium', 'high', 'protected', 'restricted'),
  status: choice('active', 'deprecated', 'disabled', 'quarantined', 'draft'),
};
export const names = Object.keys(members);

/** A member that is missing (undefined), of another type, or a list with at least one wrong item, and the paths of its faults. */
function faultOf(name: string): fc.Arbitrary<readonly [name: string, value: unknown, paths: readonly string[]]> {
  const { bad, item } = members[name]!;
  const whole = fc.oneof(fc.constant(undefined), bad).map((value) => [name, value, [name]] as const);
  if (item === undefined) return whole;
  const fitting = (fits: boolean) => (fits ? item.good : item.bad).map((value) => ({ value, fits }));
  const items = fc
    .array(fc.boolean().chain(fitting), { minLength: 1, maxLength: 6 })
    .filter((all) => all.some(({ fits }) => !fits));
  const pathsOf = (all: readonly { readonly fits: boolean }[]) => all.flatMap(({ fits }, i) => (fits ? [] : [`${name}[${i}]`]));
  return fc.oneof(
    whole,
    items.map((all) => [name, all.map(({ value }) => value), pathsOf(all)] as const),
  );
}

/** A manifest that fits, with members that nobody declared. */
export const good: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .tuple(
    fc.dictionary(
      fc.string().map((key) => `x${key}`),
      fc.oneof(fc.integer(), fc.array(fc.string())),
      { maxKeys: 3, noNullPrototype: true },
    ),
    fc.record(Object.fromEntries(names.map((name) => [name, members[name]!.good]))),
  )
  .map(([more, manifest]) => ({ ...more, ...manifest }));

/** One to four members at fault at once. */
export const faulty = fc
  .shuffledSubarray(names, { minLength: 1, maxLength: 4 })
  .chain((wrong) => fc.tuple(...wrong.map(faultOf)))
  .map((faults) => {
    const manifest: Record<string, unknown> = { ...givenManifest() };
    for (const [name, value] of faults) {
      if (value === undefined) delete manifest[name];
      else manifest[name] = value;
    }
    return { text: JSON.stringify(manifest), manifest, paths: faults.flatMap(([, , paths]) => paths).toSorted() };
  });
