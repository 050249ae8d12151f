import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForEach } from '../support/app/temporary-home.js';
import { assertSecured, request } from './plain-http.js';
import { givenOperator, stopAfterEach } from './given-operator.js';
import { exchangeRaw } from './raw-client.js';

describe('operator API: the console’s files', () => {
  stopAfterEach();
  const folder = folderForEach();

  /** A build with a few files, a folder, a link out of it and one of no known type. */
  function built(): string {
    const root = join(folder.get(), 'console');
    mkdirSync(join(root, 'assets', 'inner'), { recursive: true });
    writeFileSync(join(folder.get(), 'secret.js'), 'SECRET');
    writeFileSync(join(root, 'index.html'), '<!doctype html><title>here</title>');
    for (const [name, text] of [
      ['index-1.js', 'export {};'],
      ['index-1.css', 'a{}'],
      ['icon.svg', '<svg/>'],
      ['notes.exe', 'SECRET'],
      ['inner/deep.js', 'SECRET'],
    ] as const) {
      writeFileSync(join(root, 'assets', name), text);
    }
    symlinkSync(join(folder.get(), 'secret.js'), join(root, 'assets', 'link.js'));
    return root;
  }

  it('are served with their types and are never stored', async () => {
    const { ask } = await givenOperator({ console: built() });
    for (const [path, type] of [
      ['/', 'text/html; charset=utf-8'],
      ['/?from=a-link', 'text/html; charset=utf-8'],
      ['/assets/index-1.js', 'text/javascript; charset=utf-8'],
      ['/assets/index-1.css', 'text/css; charset=utf-8'],
      ['/assets/icon.svg', 'image/svg+xml'],
    ] as const) {
      const answer = await ask('GET', path, { as: 'none' });
      assert.deepEqual(
        [answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')],
        [200, type, 'no-store'],
      );
      const head = await ask('HEAD', path, { as: 'none' });
      assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', String(answer.text.length)]);
    }
  });

  it('include a picture for /favicon.ico, or a 404, for everybody', async () => {
    const { ask } = await givenOperator({ console: join(folder.get(), 'console') });
    const none = await ask('GET', '/favicon.ico', { as: 'none' });
    assert.deepEqual([none.status, none.body.code], [404, 'not_found']);
    built();
    const icon = await ask('GET', '/favicon.ico', { as: 'none' });
    assert.deepEqual([icon.status, icon.headers.get('content-type'), icon.text], [200, 'image/svg+xml', '<svg/>']);
  });

  it('include nothing else, however the path is written', async () => {
    const { port } = await givenOperator({ console: built() });
    for (const path of [
      '/assets/',
      '/assets/none.js',
      '/assets/link.js',
      '/assets/notes.exe',
      '/assets/inner',
      '/assets/inner/deep.js',
      '/assets/inner%2Fdeep.js',
      '/assets/../index.html',
      '/assets/..%2f..%2fsecret.js',
      '/assets/..%5c..%5csecret.js',
      '/assets/%2e%2e/index.html',
      '/assets//index-1.js',
      '/assets/index-1.js/',
      '/assets/index-1.js%00',
      '/assets/__proto__',
      '/ASSETS/index-1.js',
      '/index.html',
      '/../package.json',
    ]) {
      const { answers } = await exchangeRaw(port, request('GET', path, { headers: { Host: 'localhost' } }), { answers: 1 });
      const [answer] = answers;
      assert.ok(answer !== undefined && [400, 401, 404, 422].includes(answer.status), `${path}: ${answer?.status}`);
      assert.ok(!answer.body.includes('SECRET'), path);
      assertSecured(answer);
    }
  });

  it('are replaced by a page with an explanation until the console is built', async () => {
    const root = join(folder.get(), 'console');
    const { ask } = await givenOperator({ console: root });
    const absent = await ask('GET', '/', { as: 'none' });
    assert.equal(absent.status, 200);
    assert.match(absent.text, /The console is not built/);
    assert.equal((await ask('GET', '/assets/index-1.js', { as: 'none' })).status, 404);
    built();
    assert.match((await ask('GET', '/', { as: 'none' })).text, /<title>here/);
    assert.equal((await ask('GET', '/assets/index-1.js', { as: 'none' })).text, 'export {};');
  });
});
