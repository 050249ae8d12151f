import { Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { printJson } from '../src/cli/output.js';
import { endingSignal } from '../src/cli/serve.js';
import { stoppedLine, worker_threads_max, workerLine } from '../src/cli/worker.js';

interface WorkerReport {
  readonly type: 'stopped';
  readonly done: number;
}

export default class Worker extends AgentCommand<WorkerReport> {
  static override description = `Compute jobs of homes on this or other machines, taken from a queue of NATS JetStream.
A worker needs no home and no token. It signs each result with its own key, which the home may have to accept: worker-key add KEY.
AGENT_NATS_CREDS names a credentials file, or AGENT_NATS_TOKEN holds a token; AGENT_NATS_CA names certificates to trust.
With --json it prints one object per line. Ctrl-C ends the worker; the queue gives its jobs to others.`;
  static override examples = [
    '<%= config.bin %> worker --nats nats://127.0.0.1:4222',
    '<%= config.bin %> worker --nats tls://queue.example:4222 --key worker.key',
  ];
  static override flags = {
    nats: Flags.string({ description: 'nats://HOST:PORT on loopback, else tls://HOST:PORT', required: true, helpValue: 'URL' }),
    key: Flags.string({ description: "the file of the worker's key; created if missing", helpValue: 'FILE' }),
    threads: Flags.integer({
      description: 'jobs computed at once (default: the spare processors)',
      min: 1,
      max: worker_threads_max,
      helpValue: 'N',
    }),
  };

  protected async act({ flags }: ParsedInput<typeof Worker>): Promise<WorkerReport> {
    const signal = endingSignal();
    const { startWorker } = await import('../src/app/workers/worker.js');
    let done = 0;
    await startWorker({
      url: flags.nats,
      keyFile: flags.key,
      threads: flags.threads,
      env: process.env,
      signal,
      onEvent: (event) => {
        if (event.type === 'done') done++;
        if (this.jsonEnabled()) printJson(event);
        else this.log('%s', workerLine(event));
      },
    });
    return { type: 'stopped', done };
  }

  /** Prints one JSON object per line. */
  override logJson(json: unknown): void {
    printJson(json);
  }

  protected present({ done }: WorkerReport): readonly string[] {
    return [stoppedLine(done)];
  }
}
