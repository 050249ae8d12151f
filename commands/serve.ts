import { actorFlag, AgentCommand } from '../src/cli/command.js';

interface Served {
  readonly entries_seen: number;
}

export default class Serve extends AgentCommand<Served> {
  static override description =
    'Run the daemon: it holds the home, follows its journal and keeps the witness file. SIGTERM or Ctrl-C ends it.';
  static override examples = ['<%= config.bin %> serve'];
  static override flags = { as: actorFlag };

  protected async act(): Promise<Served> {
    const { flags } = await this.parse(Serve);
    const { serve } = await import('../src/app/serve.js');
    const controller = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
    const line = (text: string): void => void process.stderr.write(`${text}\n`);
    const run = (home: Parameters<typeof serve>[0]): Promise<Served> => {
      line(
        `serving ${home.paths.directory} at ${home.writer.head.size}:${home.writer.head.hash.slice(0, 16)}, pid ${process.pid}`,
      );
      const { signal } = controller;
      return serve(home, {
        signal,
        onEntry: ({ sequence, stream, event }) => line(`${sequence} ${stream} ${event?.type ?? 'unknown'}`),
        onWarning: (text) => line(`! ${text}`),
      });
    };
    return this.withHome(flags.home, run, { lock: 'daemon' });
  }

  protected present({ entries_seen }: Served): readonly string[] {
    return [`stopped after ${entries_seen} entries`];
  }
}
