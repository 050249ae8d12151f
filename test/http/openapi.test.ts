import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import { problemCodec } from '../../src/codec/api-problem.js';
import {
  integerText,
  choice,
  either,
  integer,
  list,
  mapOf,
  nullable,
  object,
  optional,
  required,
  tagged,
  text,
  withDefault,
} from '../../src/codec/kit.js';
import { Schemas } from '../../src/codec/json-schema.js';
import { openApiText } from '../../src/http/core/openapi.js';
import { packageRoot } from '../support/package-root.js';
import { schemaFaults, type Loose } from '../support/http/schema-check.js';
import { givenOperator, stopAfterEach } from './given-operator.js';

const golden = join(packageRoot(import.meta.url), 'docs', 'openapi.json');

describe('OpenAPI: the document', () => {
  stopAfterEach();

  it('is stored in docs/openapi.json as the server returns it (UPDATE_GOLDEN=1 writes it)', async () => {
    const { ask } = await givenOperator();
    const { text, headers } = await ask('GET', '/api/openapi.json', { as: 'viewer' });
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, 'utf8'));
  });

  it('resolves every reference and names every operation differently', async () => {
    const document = JSON.parse(readFileSync(golden, 'utf8'));
    assert.equal(document.openapi, '3.1.0');
    const names = Object.keys(document.components.schemas);
    for (const [, ref] of readFileSync(golden, 'utf8').matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)) {
      assert.ok(names.includes(ref!), ref);
    }
    const operations = Object.values(document.paths as Record<string, Loose>).flatMap((path) => Object.values<Loose>(path));
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
    for (const { operationId, security, 'x-role': role } of operations) {
      assert.deepEqual(security, role === 'public' ? [] : [{ token: [] }], operationId);
    }
  });
});

describe('OpenAPI: shapes of codecs', () => {
  const plain = (codec: t.Mixed): unknown => new Schemas().of(codec);

  for (const [what, codec, expected] of [
    ['an integer', integer(1, 9), { type: 'integer', minimum: 1, maximum: 9 }],
    ['a text', text({ min: 1, max: 9, pattern: /^a/ }), { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' }],
    ['a text that is not blank', text({ notBlank: true }), { type: 'string', pattern: '\\S' }],
    ['one word', choice('a'), { type: 'string', const: 'a' }],
    ['words', choice('a', 'b'), { type: 'string', enum: ['a', 'b'] }],
    ['either or null', nullable(choice('a', 'b')), { anyOf: [{ type: 'null' }, { type: 'string', enum: ['a', 'b'] }] }],
    ['an integer as text', integerText(1, 9), { type: 'integer', minimum: 1, maximum: 9 }],
    [
      'a list',
      list(integer(0, 1), 1, 2),
      { type: 'array', items: { type: 'integer', minimum: 0, maximum: 1 }, minItems: 1, maxItems: 2 },
    ],
    ['a map', mapOf(t.unknown), { type: 'object', additionalProperties: {} }],
    [
      'two shapes',
      either(choice('auto'), integer(1, 2)),
      {
        anyOf: [
          { type: 'string', const: 'auto' },
          { type: 'integer', minimum: 1, maximum: 2 },
        ],
      },
    ],
  ] as const) {
    it(what, () => assert.deepEqual(plain(codec), expected));
  }

  it('name objects, with what is required and what is filled in', () => {
    const schemas = new Schemas();
    const inner = object('Inner', { kind: required(choice('x')) });
    const outer = object('Outer', {
      a: required(tagged('Any', 'kind', { x: inner })),
      b: optional(integer(0, 1)),
      c: withDefault(choice('y', 'z'), 'y'),
    });
    assert.deepEqual(schemas.of(outer), { $ref: '#/components/schemas/Outer' });
    assert.deepEqual(schemas.components, {
      Any: {
        oneOf: [{ $ref: '#/components/schemas/Inner' }],
        discriminator: { propertyName: 'kind', mapping: { x: '#/components/schemas/Inner' } },
      },
      Inner: {
        type: 'object',
        properties: { kind: { type: 'string', const: 'x' } },
        required: ['kind'],
        additionalProperties: false,
      },
      Outer: {
        type: 'object',
        properties: {
          a: { $ref: '#/components/schemas/Any' },
          b: { type: 'integer', minimum: 0, maximum: 1 },
          c: { type: 'string', enum: ['y', 'z'], default: 'y' },
        },
        required: ['a'],
        additionalProperties: false,
      },
    });
    assert.throws(() => schemas.of(object('Inner', {})), /two shapes are called Inner/);
  });

  it('refuse a codec without a schema with a fault', () => {
    assert.throws(() => plain(t.string), /string has no schema/);
  });

  it('accept what a codec accepts, and refuse what it refuses', () => {
    const codec = object('Thing', {
      n: required(integer(0, 5)),
      t: optional(nullable(text({ min: 1 }))),
      l: withDefault(list(choice(1, 2), 0, 2), []),
    });
    const info = { title: '', version: '', description: '' };
    const options = { problem: problemCodec, ofBoundary: () => ({}), token: '' };
    const document = JSON.parse(openApiText([], info, { ...options, extra: [codec] }));
    const { Thing } = document.components.schemas;
    for (const [value, whole] of [
      [{ n: 1 }, true],
      [{ n: 5, t: null, l: [1, 2] }, true],
      [{ n: 6 }, false],
      [{ n: 1.5 }, false],
      [{}, false],
      [{ n: 1, t: '' }, false],
      [{ n: 1, l: [3] }, false],
      [{ n: 1, l: [1, 1, 1] }, false],
      [{ n: 1, x: 1 }, false],
      [[], false],
    ] as const) {
      assert.equal(codec.is(value), whole, JSON.stringify(value));
      assert.equal(schemaFaults(Thing, value, document).length === 0, whole, JSON.stringify(value));
    }
  });
});
