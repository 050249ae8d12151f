/** A start loads what it needs: what the commands that only read pull in is followed through the compiled imports. */
import { deepStrictEqual, doesNotMatch, match, notStrictEqual, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { program, scratch } from '../support/cli-run.js';
import { reached } from '../support/reached.js';

const isEngine = (file: string): boolean =>
  /^src\/(?:engines\/|kinds\/(?:table|[^/]+\/(?:kind|engine\/.*|verify\/.*))\.js)/.test(file);
const isPicture = (file: string): boolean =>
  /^src\/(?:cli\/pictures\/|pictures\/(?!columns|figures)|kinds\/(?:pictures|[^/]+\/picture)\.js)/.test(file);

describe('startup', () => {
  for (const command of ['list', 'show', 'pause', 'checkpoint']) {
    it(`loads no engine for ${command}`, () => {
      const files = reached(`commands/${command}.js`);
      strictEqual(files.includes('src/app/home/home.js'), true);
      deepStrictEqual(files.filter(isEngine), []);
    });
  }

  it('loads no pictures for list', () => {
    deepStrictEqual(reached('commands/list.js').filter(isPicture), []);
  });

  it('loads them for run, so that this test can fail', () => {
    const files = reached('commands/run.js');
    notStrictEqual(files.filter(isEngine).length, 0);
    notStrictEqual(files.filter(isPicture).length, 0);
  });

  // While coverage is measured, every module is loaded from where it is.
  if (process.env['COVERAGE'] !== '1')
    it('loads none of the packages of oclif for list', () => {
      const place = scratch();
      place.json('init');
      const onExit = "process.stderr.write(Object.keys(process.getBuiltinModule('module')._cache).join('\\n'))";
      const told = `data:text/javascript,process.once('exit',()=>{${encodeURIComponent(onExit)}})`;
      const { stderr } = spawnSync(process.execPath, ['--import', told, program, 'list'], { env: place.env, encoding: 'utf8' });
      place.remove();
      match(stderr, /better-sqlite3/);
      doesNotMatch(stderr, /node_modules\/(?:@oclif|semver|minimatch|ejs|tinyglobby|cli-spinners|wrap-ansi)\//);
    });

  it('loads nothing of the application before a command is known', () => {
    deepStrictEqual(
      reached('src/cli/start.js').filter((file) => !/^src\/(?:cli|base)\//.test(file)),
      [],
    );
  });
});
