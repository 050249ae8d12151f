/** EIO at each fsync, rename and link of the commands that write files: a command that fails leaves no file of the name that it was given. @slow */
import { deepStrictEqual, ok } from 'node:assert';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Operator } from '../support/crash-cli.js';
import { eraseScenario } from '../support/crash-erase.js';
import { copySandbox, type Sandbox } from '../support/crash-sandbox.js';
import { accepted, mission } from '../support/crash-settle.js';
import { fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import { trace, type Syscall, type Traced } from '../support/strace.js';

real('strace', 'a disk that fails while a file is written', () => {
  const root = mkdtempSync(join(tmpdir(), 'agent-outputs-'));
  const operator = new Operator();
  let template: Sandbox;

  before(async () => {
    ({ template } = await eraseScenario(operator, join(root, 'template')));
    accepted(await operator.run(['backup', join(root, 'kept.zip')], template.env), 'backup');
  });

  after(() => {
    operator.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const commands: readonly (readonly [string, (output: string, root: string) => string[]])[] = [
    ['export', (output) => ['export', mission, '--output', output]],
    ['checkpoint', (output) => ['checkpoint', '--output', output]],
    ['backup', (output) => ['backup', output]],
    ['restore', (output, root) => ['restore', join(root, 'kept.zip'), '--home', output]],
  ];
  /** How many calls of each kind fail by default: the last ones, which put the file in its place. */
  const last_calls = { fsync: 2, rename: 1, link: 1 } as const;
  const kinds = ['fsync', 'rename', 'link'] as const;

  for (const [name, argv] of commands) {
    it(`leaves nothing of ${name}`, async () => {
      const log = join(root, 'outputs.trace');
      const run = (of: readonly Syscall[], inject?: string): Promise<Traced & { readonly output: string }> => {
        const sandbox = copySandbox(template, join(root, 'sandbox'));
        const output = join(sandbox.outputs, 'made');
        const options = { of, log, ...(inject === undefined ? {} : { inject }) };
        return trace([...argv(output, root), '--json'], sandbox.env, options).then((ran) => ({ ...ran, output }));
      };
      let failed = 0;
      const clean = (await run(kinds)).calls;
      for (const syscall of kinds) {
        const { length } = clean.filter((call) => call.syscall === syscall);
        for (let nth = fullEffort ? 1 : Math.max(1, length - last_calls[syscall] + 1); nth <= length; nth++) {
          const { calls, code, stderr, output } = await run([syscall], `error=EIO:when=${nth}`);
          const file = calls.find(({ broken }) => broken)?.file ?? 'a call that was not made again';
          deepStrictEqual(existsSync(output), code === 0, `EIO at ${syscall} ${nth} (${file}): ${stderr}`);
          if (code !== 0) failed++;
        }
      }
      ok(failed > 0, 'no call made it fail');
    });
  }
});
