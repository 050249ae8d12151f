/** The URL of a research source is data: nothing connects to it, from the mission to the verified export. */
import { deepStrictEqual, strictEqual } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listening } from '../support/listening.js';
import { hostedScratch } from '../support/cli/cli-run.js';

describe('research', () => {
  it('never connects to the URL of a source', async () => {
    let connections = 0;
    const { port, close } = await listening(
      createServer((socket) => {
        connections++;
        socket.destroy();
      }),
    );
    const place = hostedScratch();
    const done = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
      const { code, stdout, stderr } = await place.later([...args, '--json'], place.env);
      strictEqual(code, 0, stderr);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    try {
      const source = {
        id: 'report',
        title: 'Report',
        text: 'The night bus was punctual on most days.',
        url: `http://127.0.0.1:${port}/`,
      };
      const mission = { goal: 'Was the night bus punctual?', work: { kind: 'research', sources: [source] } };
      writeFileSync(join(place.directory, 'mission.json'), JSON.stringify(mission));
      const { public_key } = await done('init');
      const { id, revision, result_hash } = await done('run', 'mission.json', '--execute');
      const decision = ['--revision', String(revision), '--result-hash', String(result_hash), '--approve', '--note', 'read'];
      await done('review', String(id), ...decision);
      await done('export', String(id), '--output', 'export.json');
      const { valid, recomputed } = await done('verify-export', 'export.json', '--public-key', String(public_key), '--recompute');
      deepStrictEqual([valid, recomputed, connections], [true, true, 0]);
    } finally {
      place.remove();
      await close();
    }
  });
});
