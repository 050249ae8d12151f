/** One container: started, watched, and gone afterwards, whatever its code does. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { engine_command_ms_max, engine_stop_grace_ms, sandbox_output_bytes_max } from '../base/sandbox-limits.js';
import { isLeft, removeArguments, runArguments, type ContainerLimits, type Engine } from './arguments.js';
import { callClient, type Called } from './client.js';
import { labelsOf } from './owner.js';

export interface ContainerRun extends ContainerLimits {
  readonly engine: Engine;
  readonly clientEnv: Readonly<Record<string, string>>;
  /** The image's id. */
  readonly image: string;
  /** The id of the home; none for a container that belongs to no home. */
  readonly home?: string | undefined;
  readonly command: readonly string[];
  readonly stdin: Uint8Array;
  readonly ms_max: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a container to its end. A deadline, an abort and too much output kill it by its id. */
export async function runContainer(run: ContainerRun): Promise<Called> {
  const { engine, clientEnv: env, stdin, ms_max, signal } = run;
  const scratch = fs.mkdtempSync(path.join(tmpdir(), `agent-cli-${process.pid}-`));
  const idFile = path.join(scratch, 'id');
  const name = `agent-cli-${process.pid}-${randomUUID()}`;
  const remove = async (): Promise<void> => {
    const args = removeArguments(engine, idIn(idFile) ?? name);
    await callClient({ command: engine.name, args, env, ms_max: engine_command_ms_max, bytes_max: sandbox_output_bytes_max });
  };
  try {
    const called = await callClient({
      command: engine.name,
      args: runArguments({ ...run, name, idFile, labels: labelsOf(run.home) }),
      env,
      directory: scratch,
      stdin,
      ms_max,
      bytes_max: sandbox_output_bytes_max,
      signal,
      stop: remove,
      grace_ms: engine_stop_grace_ms,
    });
    if (isLeft(engine) || called.ended !== 'exited' || called.status === null) await remove();
    return called;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns the id that the engine has written, or null. */
function idIn(file: string): string | null {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '';
  return /^[0-9a-f]{64}$/.test(text) ? text : null;
}
