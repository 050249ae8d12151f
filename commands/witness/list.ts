import { AgentCommand } from '../../src/cli/command.js';
import { pairs } from '../../src/cli/table.js';
import type { WitnessItem } from '../../src/app/log/checkpoint.js';

interface Witnesses {
  readonly items: readonly WitnessItem[];
}

export default class WitnessList extends AgentCommand<Witnesses> {
  static override description = 'List the witnesses of the log, and how far each has cosigned it.';
  static override examples = ['<%= config.bin %> witness list'];

  protected async act(): Promise<Witnesses> {
    const { listWitnesses } = await import('../../src/app/log/checkpoint.js');
    return this.withHome(listWitnesses);
  }

  protected present({ items }: Witnesses): readonly string[] {
    if (items.length === 0) return ['no witnesses', '', 'next: agent-cli witness add URL VKEY'];
    return items.flatMap(({ name, url, vkey, cosigned }, i) => [
      ...(i === 0 ? [] : ['']),
      ...pairs([
        ['witness', name],
        ['url', url],
        ['verifier key', vkey],
        ['cosigned', cosigned === null ? 'nothing yet' : `${cosigned} entries`],
      ]),
    ]);
  }
}
