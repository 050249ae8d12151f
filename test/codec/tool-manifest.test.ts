/** The tool manifest: every rule of the specification's table, what is kept, and what only warns. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { parseJson } from '../../src/base/json.js';
import { isRefused, unwrap } from '../../src/base/refusal.js';
import { Schemas } from '../../src/codec/json-schema.js';
import { decode } from '../../src/codec/kit.js';
import { manifestCodec, manifestWarnings, type ToolManifest } from '../../src/codec/tool-manifest.js';
import { faulty, good, names } from '../support/app/bad-manifests.js';
import { atEffort } from '../support/effort.js';
import { givenManifest } from '../support/app/given-tools.js';
import { type Schema, schemaFaults } from '../support/http/schema-check.js';
import { packageRoot } from '../support/package-root.js';

const faults = (value: unknown): readonly string[] => {
  const decoded = decode(manifestCodec, value);
  return isRefused(decoded) ? (decoded.left.errors ?? []).map(({ path, message }) => `${path}: ${message}`) : [];
};
const warned = (changes: Partial<ToolManifest>): readonly string[] =>
  manifestWarnings(givenManifest(changes)).map(({ path, message }) => `${path}: ${message}`);

describe('tool manifest', () => {
  it('has the twenty members of the specification, all required', () => {
    assert.equal(names.length, 20);
    assert.deepEqual(Object.keys(givenManifest()).toSorted(), names.toSorted());
    assert.deepEqual(faults({}).toSorted(), names.map((name) => `${name}: required`).toSorted());
    for (const name of names) {
      const { [name as keyof ToolManifest]: _, ...rest } = givenManifest();
      assert.deepEqual(faults(rest), [`${name}: required`]);
    }
  });

  it('keeps undeclared members unchanged', () => {
    const extra = ',"x":{"deep":[1,{"y":null}]},"__proto__":{"status":"disabled"},"toString":1,"constructor":{}}';
    const text = JSON.stringify(givenManifest()).slice(0, -1) + extra;
    const parsed = unwrap(parseJson(text));
    const kept = unwrap(decode(manifestCodec, parsed));
    assert.equal(canonicalJson(kept), canonicalJson(parsed));
    assert.ok(Object.hasOwn(kept, '__proto__'));
    assert.equal(kept.status, 'active');
  });

  it('refuses a member that only the prototype has as missing', () => {
    assert.deepEqual(faults(JSON.parse('{"__proto__":{"tool_id":"x"}}')).length, 20);
    assert.deepEqual(faults(Object.create(givenManifest()) as unknown).length, 20);
  });
});

describe('tool manifest: warnings', () => {
  it('gives none for members that fit each other', () => {
    assert.deepEqual(warned({}), []);
    assert.deepEqual(warned({ default_permission: 'none' }), []);
    assert.deepEqual(warned({ permission_classes_supported: [], default_permission: 'none', approval_required_for: [] }), []);
    assert.deepEqual(warned({ external_effect: false, permission_classes_supported: ['draft'], approval_required_for: [] }), []);
  });

  it('warns of a default outside the supported classes', () => {
    assert.deepEqual(warned({ default_permission: 'read' }), [
      'default_permission: read is not among permission_classes_supported',
    ]);
  });

  it('warns of each approval outside the supported classes', () => {
    assert.deepEqual(warned({ approval_required_for: ['send', 'delete', 'deploy'] }), [
      'approval_required_for[1]: delete is not among permission_classes_supported',
      'approval_required_for[2]: deploy is not among permission_classes_supported',
    ]);
  });

  it('warns of classes that reach outside without an external effect', () => {
    for (const name of ['external_contact', 'send', 'payment'] as const) {
      const changes = { permission_classes_supported: [name], default_permission: name, approval_required_for: [name] };
      assert.deepEqual(warned({ ...changes, external_effect: false }), [
        `external_effect: is false, although ${name} reaches outside`,
      ]);
      assert.deepEqual(warned({ ...changes, external_effect: true }), []);
    }
  });

  it('warns of an empty schema_version', () => {
    assert.deepEqual(warned({ schema_version: '' }), ['schema_version: is empty']);
  });
});

const file = join(packageRoot(import.meta.url), 'docs', 'tool-manifest.schema.json');

/** Paths at which a value breaks the schema. */
const breaks = (schema: Schema, value: unknown): string[] => [
  ...new Set(
    schemaFaults(schema, value, schema).map((fault) =>
      fault
        .replace(/: lacks (\w+)$/, '.$1')
        .replace(/: .*$/, '')
        .replace(/^\$\.?/, ''),
    ),
  ),
];

describe('docs/tool-manifest.schema.json', () => {
  it('is the schema that the code makes (UPDATE_GOLDEN=1 rewrites it)', () => {
    const schemas = new Schemas();
    schemas.of(manifestCodec);
    const document = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'AEP-005-TOOL-MANIFEST',
      description: 'One tool: its permissions, risk, effects, data, approval, audit and evidence needs, owner and status.',
      ...schemas.components['ToolManifest'],
    };
    const made = `${JSON.stringify(document, null, 2)}\n`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, made);
    assert.equal(readFileSync(file, 'utf8'), made);
  });

  const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
  const fits = (value: unknown): boolean => manifestCodec.decode(value)._tag === 'Right';

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
