/** The published JSON Schema is the one that the code makes, and it says what the codec says. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { manifestCodec } from '../../src/codec/tool-manifest.js';
import { manifestSchema } from '../../src/codec/tool-schema.js';
import { faulty, good } from '../support/bad-manifests.js';
import { atEffort } from '../support/effort.js';
import { givenManifest } from '../support/given-tools.js';
import { packageRoot } from '../support/package-root.js';

const file = join(packageRoot(import.meta.url), 'docs', 'tool-manifest.schema.json');

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
const known = ['$schema', 'title', 'description', 'type', 'const', 'enum', 'items', 'properties', 'required'];

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Paths at which a value breaks a schema: JSON Schema 2020-12, of which this knows the keywords in `known`. */
function breaks(schema: Schema, value: unknown, path = ''): string[] {
  for (const keyword of Object.keys(schema)) assert.ok(known.includes(keyword), `the checker does not know ${keyword}`);
  if (schema.type !== undefined && typeOf(value) !== schema.type) return [path];
  if ('const' in schema && value !== schema.const) return [path];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [path];
  if (Array.isArray(value))
    return schema.items === undefined ? [] : value.flatMap((v, i) => breaks(schema.items!, v, `${path}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  const members = value as Readonly<Record<string, unknown>>;
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(members, name));
  const inside = Object.entries(schema.properties ?? {}).filter(([name]) => Object.hasOwn(members, name));
  return [...missing, ...inside.flatMap(([name, inner]) => breaks(inner, members[name], name))];
}

describe('docs/tool-manifest.schema.json', () => {
  it('is the schema that the code makes (UPDATE_GOLDEN=1 rewrites it)', () => {
    const made = `${JSON.stringify(manifestSchema(), null, 2)}\n`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, made);
    assert.equal(readFileSync(file, 'utf8'), made);
  });

  const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
  const fits = (value: unknown): boolean => manifestCodec.decode(value)._tag === 'Right';

  it('declares the draft, all members required, none forbidden', () => {
    const { $schema, type, required, properties } = schema as Schema & { readonly $schema: string };
    assert.equal($schema, 'https://json-schema.org/draft/2020-12/schema');
    assert.equal(type, 'object');
    assert.deepEqual(required, Object.keys(givenManifest()));
    assert.deepEqual(Object.keys(properties ?? {}), required);
    assert.deepEqual(breaks(schema, { ...givenManifest(), more: [1] }), []);
  });

  it('takes every manifest that the codec takes', () => {
    fc.assert(
      fc.property(good, (manifest) => fits(manifest) && breaks(schema, manifest).length === 0),
      { numRuns: atEffort(200, 5_000), seed: 5 },
    );
  });

  it('refuses what the codec refuses, at the same paths', () => {
    fc.assert(
      fc.property(faulty, ({ manifest, paths }) => {
        assert.ok(!fits(manifest));
        assert.deepEqual(breaks(schema, manifest).toSorted(), paths);
      }),
      { numRuns: atEffort(300, 5_000), seed: 5 },
    );
    for (const value of [null, [], 'x', 1]) assert.deepEqual(breaks(schema, value), ['']);
  });
});
