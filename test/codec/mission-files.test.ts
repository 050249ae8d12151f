import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { parseJsonBytes } from '../../src/base/json.js';
import * as limits from '../../src/base/limits.js';
import { unwrap } from '../../src/base/result.js';
import { decode } from '../../src/codec/kit.js';
import { kinds } from '../../src/codec/kinds.js';
import { exampleText } from '../../src/app/missions/examples.js';
import { type MissionRequest, missionRequest } from '../../src/kinds/request.js';
import { packageRoot } from '../support/package-root.js';

const root = packageRoot(import.meta.url);

function read(file: string): MissionRequest {
  const bytes = readFileSync(file);
  assert.ok(bytes.length <= limits.mission_file_bytes_max);
  return unwrap(decode(missionRequest, unwrap(parseJsonBytes(bytes))));
}

describe('mission files: examples', () => {
  for (const kind of kinds) {
    it(`has a valid mission in ${kind}.json that says it is constructed`, () => {
      const mission = unwrap(decode(missionRequest, JSON.parse(exampleText(kind))));
      assert.equal(mission.work.kind, kind);
      assert.match(mission.goal, /constructed for illustration/);
      assert.ok(canonicalJson(mission).length > 800);
      if (mission.work.kind !== 'research') return;
      for (const source of mission.work.sources) assert.match(source.title, /constructed for illustration/);
    });
  }
});

describe('mission files: reference', () => {
  for (const kind of kinds) {
    it(`accepts ${kind}.json of the reference unchanged`, function () {
      const folder = join(root, '..', 'shared', 'data', 'reference', 'missions');
      if (!existsSync(folder)) {
        console.log('      absent: ../shared');
        this.skip();
      }
      const file = join(folder, `${kind}.json`);
      const mission = read(file);
      assert.equal(mission.work.kind, kind);
      contains(mission, JSON.parse(readFileSync(file, 'utf8')), '');
    });
  }
});

/** Every value of the file is unchanged in what it decodes to; only defaults are added. */
function contains(decoded: unknown, raw: unknown, path: string): void {
  if (typeof raw !== 'object' || raw === null) return assert.deepEqual(decoded, raw, path);
  if (Array.isArray(raw)) assert.equal((decoded as unknown[]).length, raw.length, path);
  for (const [key, value] of Object.entries(raw)) contains((decoded as Record<string, unknown>)[key], value, `${path}.${key}`);
}
