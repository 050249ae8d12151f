import type { Home } from '../src/app/home/home.js';
import { RefusalError } from '../src/base/refusal.js';
import { AgentCommand } from '../src/cli/command.js';
import { withProgress } from '../src/cli/progress.js';
import type { WithWarnings } from '../src/cli/warnings.js';

type Rebuilt = WithWarnings<{ readonly events: number; readonly head: string }>;

export default class Rebuild extends AgentCommand<Rebuilt> {
  static override description = `Drop the tables derived from the journal and rebuild them from its entries.
The entries are verified first. Tables, views, indexes and triggers that are not part of the journal are removed, and listed.`;
  static override examples = ['<%= config.bin %> rebuild'];

  protected async act(): Promise<Rebuilt> {
    const { rebuildHome } = await import('../src/app/home/rebuild.js');
    return withProgress(!this.jsonEnabled(), (update) => {
      const rebuild = (home: Home): Rebuilt => {
        if (home.unwritable !== null) throw new RefusalError(home.unwritable);
        // Stale tables make an unedited configuration look edited; with sound tables it really was edited.
        const { config, tables } = home.faults;
        if (config !== null && tables === null) throw new RefusalError(config);
        const { head, removed } = rebuildHome(home, (done) => update('rebuild', done));
        const warnings = removed.map(({ type, name }) => `removed the ${type} "${name}", which is not part of the journal`);
        return { events: head.size, head: head.hash, ...(warnings.length === 0 ? {} : { warnings }) };
      };
      return this.withHome(rebuild, { tolerate: ['config', 'schema', 'tables'] });
    });
  }

  protected present({ events, head }: Rebuilt): readonly string[] {
    return [`rebuilt from ${events} entries, head ${events}:${head.slice(0, 16)}`];
  }
}
