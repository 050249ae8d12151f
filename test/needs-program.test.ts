/** Which test files `npm test -- FILE` builds the program for. */
import { match, strictEqual } from 'node:assert';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from './support/package-root.js';

const module = pathToFileURL(join(packageRoot(import.meta.url), 'scripts', 'needs-program.mjs')).href;
const { needsProgram } = (await import(module)) as { readonly needsProgram: (files: readonly string[]) => string | undefined };

describe('needsProgram', () => {
  it('names the module of a test that runs commands, packs the program or serves its pages', () => {
    match(needsProgram(['dist/test/cli/bins.test.js']) ?? '', /cli\/bins\.test|support\//);
    match(needsProgram(['dist/test/scenario/scenarios.test.js']) ?? '', /support\//);
    match(needsProgram(['dist/test/browser/console-walk.test.js']) ?? '', /console-walk|browser\//);
    strictEqual(needsProgram(['dist/test/http/operator-console.test.js']), 'dist/src/app/operator/console-files.js');
  });

  it('names none for a test of modules, with the threads that they start', () => {
    strictEqual(needsProgram(['dist/test/base/math.test.js']), undefined);
    strictEqual(needsProgram(['dist/test/journal/verify-ranges.test.js']), undefined);
  });

  it('names the one that makes a group of files need it', () => {
    strictEqual(
      needsProgram(['dist/test/base/math.test.js', 'dist/test/cli/commands.test.js']),
      'dist/test/cli/commands.test.js',
    );
  });
});
