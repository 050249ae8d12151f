/**
 * One definition of every shape that leaves the process: an edit of it in one place does not compile until every place that it concerns
 * follows. The edits are made in a copy of the source.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../support/package-root.js';

const root = packageRoot(import.meta.url);

/** Returns a copy of the source, without the tests; the packages are linked. */
function copyOfSource(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-shapes-'));
  for (const part of ['src', 'commands', 'package.json']) cpSync(join(root, part), join(folder, part), { recursive: true });
  const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: ['src', 'commands'] }));
  symlinkSync(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'));
  return folder;
}

/** Replaces one text of a file, which must be there once. Returns a function that puts it back. */
function edit(folder: string, file: string, before: string, after: string): () => void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  assert.equal(text.split(before).length, 2, `${file} has ${before} once`);
  writeFileSync(path, text.replace(before, after));
  return () => writeFileSync(path, text);
}

interface Compiled {
  readonly status: number | null;
  /** Files with errors, each once, sorted. */
  readonly files: readonly string[];
  readonly output: string;
}

/** @param project the folder of a tsconfig.json: the program's, or `src/console` */
function compile(folder: string, project = '.'): Compiled {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', project, '--noEmit', '--pretty', 'false'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 120_000 });
  const files = [...stdout.matchAll(/^([^\s(]+)\([0-9]+,[0-9]+\): error/gm)].map(([, file = '']) => file);
  return { status, files: [...new Set(files)].toSorted(), output: stdout + stderr };
}

describe('shapes of responses: an edit in one place', function () {
  this.timeout(180_000);
  let folder = '';
  before(() => {
    folder = copyOfSource();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('compiles as it stands', () => {
    const { status, output } = compile(folder);
    assert.equal(status, 0, output);
  });

  const missions = 'src/codec/api-missions.ts';
  const edits: readonly (readonly [string, string, string, string, readonly string[]])[] = [
    [
      'renames a member of the public mission record',
      missions,
      '  inference: required(choice(null)),',
      '  inferred: required(choice(null)),',
      ['src/app/missions/store.ts'],
    ],
    [
      'answers health with another member',
      'src/http/core/system-endpoints.ts',
      "json(200, { status: 'ok' })",
      'json(200, { stattus: 5 })',
      ['src/http/core/system-endpoints.ts'],
    ],
    [
      'answers health with a status that is not announced',
      'src/http/core/system-endpoints.ts',
      "json(200, { status: 'ok' })",
      "json(201, { status: 'ok' })",
      ['src/http/core/system-endpoints.ts'],
    ],
    [
      'renames a member of the status, which is kept as text',
      'src/codec/api-status.ts',
      '  executing_max: required(count),',
      '  execute_max: required(count),',
      ['src/app/operator/status.ts'],
    ],
    [
      "renames a member of a run's results",
      'src/codec/api-simulation.ts',
      '  completed_at: required(time),',
      '  ended_at: required(time),',
      ['src/app/simulation/store.ts'],
    ],
  ];
  for (const [what, file, before, after, expected] of edits) {
    it(`does not compile: ${what}`, () => {
      const restore = edit(folder, file, before, after);
      const { status, files, output } = compile(folder);
      restore();
      assert.notEqual(status, 0, 'it compiled');
      for (const name of expected) assert.ok(files.includes(name), `no error in ${name}:\n${output}`);
    });
  }
});
