/** A real llama-server with the generated model of scripts/tiny-model.mjs, which quotes one word of its sources. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './cli-run.js';
import { freshFetch } from './fetch.js';
import { freePort } from './free-port.js';
import { hang_ms } from './wait.js';

interface TinyModel {
  readonly word: string;
  readonly tinyModel: () => Uint8Array;
}

/** Serves the model while `use` runs. @param use takes the address, and the word that the model quotes */
export async function withLlamaServer<A>(use: (url: string, word: string) => Promise<A>): Promise<A> {
  const { word, tinyModel } = (await import(join(root, 'scripts', 'tiny-model.mjs'))) as TinyModel;
  const folder = mkdtempSync(join(tmpdir(), 'agent-llama-'));
  const model = join(folder, 'tiny.gguf');
  writeFileSync(model, tinyModel());
  const port = await freePort();
  const child = spawn(join(root, 'scripts', 'llama-server'), [model, String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4_000)));
  try {
    const url = `http://127.0.0.1:${port}/v1`;
    for (const end = Date.now() + hang_ms; !(await isReady(url)); await sleep(50))
      if (child.exitCode !== null || Date.now() > end) throw new Error(`llama-server did not start: ${said}`);
    return await use(url, word);
  } finally {
    child.kill('SIGTERM');
    await closed;
    rmSync(folder, { recursive: true });
  }
}

const isReady = (url: string): Promise<boolean> =>
  freshFetch(`${url}/models`).then(
    ({ ok }) => ok,
    () => false,
  );
