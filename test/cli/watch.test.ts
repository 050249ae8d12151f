/** Commands that watch print each change, and end when nothing more is to come or when they are told to. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plan, program, hostedScratch, type Scratch } from '../support/cli-run.js';

const busy_retries = 20;

interface Watched {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** Resolves when so many lines were printed. */
  readonly printed: (count: number) => Promise<void>;
}

describe('watching', () => {
  let place: Scratch;
  const begun: ChildProcess[] = [];
  before(() => {
    place = hostedScratch();
    writeFileSync(join(place.directory, 'plan.json'), JSON.stringify(plan));
    strictEqual(place.run('init').code, 0);
  });
  after(() => {
    for (const child of begun) child.kill('SIGKILL');
    place.remove();
  });

  function watch(...args: readonly string[]): Watched {
    const child = spawn(process.execPath, [program, ...args], { cwd: place.directory, env: place.env });
    begun.push(child);
    const lines: string[] = [];
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
      child.emit('printed');
    });
    const printed = async (count: number): Promise<void> => {
      while (lines.length < count && child.exitCode === null) await Promise.race([once(child, 'printed'), once(child, 'exit')]);
    };
    return { child, lines, printed };
  }
  const ended = async ({ child }: Watched): Promise<unknown> => {
    if (child.exitCode === null) await once(child, 'exit');
    return child.exitCode;
  };

  for (const command of [['watch'], ['show', '--watch']]) {
    it(`follows a mission until it is in review: ${command.join(' ')}`, async () => {
      const id = String(place.json('run', 'plan.json')['id']);
      const watched = watch(...command, id, '--json');
      await watched.printed(1);
      // On a busy machine another process may keep the journal for longer than a command waits.
      let executed = place.run('execute', id);
      for (let i = 0; i < busy_retries && executed.stderr.includes('In use'); i++) executed = place.run('execute', id);
      strictEqual(executed.code, 0, executed.stderr);
      strictEqual(await ended(watched), 0);
      const states = watched.lines.map((line) => (JSON.parse(line) as { state: string }).state);
      deepStrictEqual([states[0], states.at(-1)], ['queued', 'review']);
    });
  }

  it('prints a mission once and ends when it is in review', () => {
    const id = String(place.json('run', 'plan.json', '--execute')['id']);
    const { code, stdout } = place.run('watch', id);
    strictEqual(code, 0);
    strictEqual(stdout.match(/^mission /gm)?.length, 1);
    match(stdout, /^state +review$/m);
  });

  it('prints new missions with list --watch, and ends with 0 at SIGINT', async () => {
    const watched = watch('list', '--watch', '--json');
    await watched.printed(1);
    const id = String(place.json('run', 'plan.json')['id']);
    await watched.printed(2);
    watched.child.kill('SIGINT');
    strictEqual(await ended(watched), 0);
    match(watched.lines.at(-1) ?? '', new RegExp(id));
  });
});
