/** `serve` and the file `.env` of its working directory. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli, scratch, type Scratch } from '../support/cli-run.js';

describe('serve', () => {
  let place: Scratch;
  before(() => {
    place = scratch();
    strictEqual(place.run('init').code, 0);
  });
  after(() => place.remove());

  it('takes islands from .env, and refuses to start with ones that no run could have', () => {
    writeFileSync(join(place.directory, '.env'), 'API_TOKEN=a-token-of-this-test\nPORT=0\nAGI_ISLAND_BACKENDS=a=nowhere\n');
    const { code, stdout, stderr } = cli(['serve', '--port', '0'], place.env, place.directory);
    deepStrictEqual([code, stdout], [2, ''], stderr);
    match(stderr, /AGI_ISLAND_BACKENDS/);
  });
});
