/** Attacks on a real container engine. Each row of the printed table is an attack, what came of it, and how long its container ran. @slow */
import { deepStrictEqual, match, ok } from 'node:assert';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { FoundEngine, SandboxSettings } from '../../src/sandbox/find.js';
import { type CandidateRan, runCandidate } from '../../src/sandbox/run.js';
import { folderForSuite } from '../support/app/temporary-home.js';
import { real } from '../support/real.js';
import { containersLeft, foundIn, orphansLeft, sandboxEnv, settingsOf } from '../support/sandbox/sandbox.js';
import { hang_ms } from '../support/wait.js';
import { attacks } from './attack-list.js';

/** Wall-clock time of a container that only its deadline ends. The others end themselves. */
const deadline_ms = 3_000;
const watched = ['/etc/passwd', '/etc/shadow', '/etc/hosts', '/proc/sys/kernel/core_pattern', process.execPath];

/** Returns what an attack on the host would change: files, the names beside this process, and what this process keeps of its runs. */
const hostState = (): unknown => [
  watched.map((file) => (existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : null)),
  readdirSync(process.cwd()),
  readdirSync(tmpdir()).filter((name) => name.startsWith(`agent-cli-${process.pid}-`)),
];

const said = ({ outputs }: CandidateRan): string[] =>
  outputs.map((output) => (output === null ? 'missing' : `${output.outcome} ${output.text}`));

real('container', 'attacks on the sandbox', () => {
  const scratch = folderForSuite();
  let settings: SandboxSettings;
  let found: FoundEngine;
  let untouched: unknown;
  const rows: string[] = [];

  before(async () => {
    settings = settingsOf(
      sandboxEnv({ AGENT_LLM_KEY: 'SECRET-of-the-provider', HTTP_PROXY: 'http://user:SECRET@127.0.0.1:9', TMPDIR: scratch }),
    );
    found = await foundIn(settings);
    untouched = hostState();
  });
  after(() => console.log(rows.join('\n')));

  for (const { name, language = 'python', code, args = ['[]'], ends = ['exited'], gives } of attacks) {
    it(`contains: ${name}`, async () => {
      const ran = await runCandidate(settings, found, {
        language,
        code,
        args,
        ms_max: ends.includes('deadline') ? deadline_ms : hang_ms,
      });
      const outcomes = said(ran);
      rows.push(`      ${name.padEnd(36)} ${`${ran.end}, ${outcomes.join('; ').slice(0, 60)}`.padEnd(76)} ${ran.elapsed_ms} ms`);
      ok(ends.includes(ran.end), `it ended as ${ran.end} (${ran.status}): ${outcomes.join('; ').slice(0, 300)}`);
      deepStrictEqual(outcomes.length, gives.length);
      for (const [i, outcome] of outcomes.entries()) match(outcome, gives[i] ?? /^$/);
    });
  }

  it('leave the host unchanged, no container and no process', () => {
    deepStrictEqual(hostState(), untouched);
    deepStrictEqual(containersLeft(), []);
    deepStrictEqual(orphansLeft(), []);
  });
});
