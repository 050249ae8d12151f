import { RefusalError } from '../src/base/result.js';
import { AgentCommand } from '../src/cli/command.js';
import { withProgress } from '../src/cli/progress.js';

interface Rebuilt {
  readonly events: number;
  readonly head: string;
}

export default class Rebuild extends AgentCommand<Rebuilt> {
  static override description = 'Drop the tables derived from the journal and make them anew from its entries.';
  static override examples = ['<%= config.bin %> rebuild'];

  protected async act(): Promise<Rebuilt> {
    const { flags } = await this.parse(Rebuild);
    const { rebuildAll } = await import('../src/app/home/upgrade.js');
    return withProgress(!this.jsonEnabled(), (update) => {
      const rebuild = (home: Parameters<Parameters<typeof this.withHome>[1]>[0]): Rebuilt => {
        // Stale tables make an unedited configuration look edited; with sound tables it really was edited.
        const { config, tables } = home.faults;
        if (config !== null && tables === null) throw new RefusalError(config);
        const { size, hash } = home.writer.head;
        rebuildAll(home.db, (applied) => update('rebuild', applied / size));
        return { events: size, head: hash };
      };
      return this.withHome(flags.home, rebuild, { tolerate: ['config', 'witness', 'tables'] });
    });
  }

  protected present({ events, head }: Rebuilt): readonly string[] {
    return [`rebuilt from ${events} entries, head ${events}:${head.slice(0, 16)}`];
  }
}
