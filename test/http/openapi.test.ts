import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import { problemCodec } from '../../src/codec/api-problem.js';
import { choice, integer, list, nullable, object, optional, required, text, withDefault } from '../../src/codec/kit.js';
import { Schemas } from '../../src/codec/json-schema.js';
import { openApiText } from '../../src/http/core/openapi.js';
import { packageRoot } from '../support/package-root.js';
import { schemaFaults } from '../support/http/schema-check.js';
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
});

describe('OpenAPI: shapes of codecs', () => {
  it('refuse a codec without a schema, and two of one name', () => {
    const schemas = new Schemas();
    assert.throws(() => schemas.of(t.string), /string has no schema/);
    schemas.of(object('Inner', {}));
    assert.throws(() => schemas.of(object('Inner', { n: required(integer(0, 1)) })), /two shapes are called Inner/);
  });

  it('accept what a codec accepts, and refuse what it refuses', () => {
    const codec = object('Thing', {
      n: required(integer(0, 5)),
      t: optional(nullable(text({ min: 1 }))),
      l: withDefault(list(choice(1, 2), 0, 2), []),
    });
    const info = { title: '', version: '', description: '' };
    const options = { problem: problemCodec, ofBoundary: () => ({}), headersOf: () => [], token: '' };
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
