import { Flags } from '@oclif/core';
import type { Home } from '../src/app/home/home.js';
import { AgentCommand, watchFlag } from '../src/cli/command.js';
import { missionTable, totalLine } from '../src/cli/table.js';
import { printable } from '../src/base/text.js';
import { quoted } from '../src/cli/text.js';
import { kinds } from '../src/codec/kinds.js';
import { missionStates } from '../src/codec/record.js';
import type { MissionPage } from '../src/codec/api-missions.js';

export default class List extends AgentCommand<MissionPage> {
  static override description = 'List missions, the most recently changed first.';
  static override examples = [
    '<%= config.bin %> list',
    '<%= config.bin %> list --state review --json',
    '<%= config.bin %> list --q harbour',
  ];
  static override flags = {
    state: Flags.option({ options: missionStates, description: 'only missions in this state' })(),
    kind: Flags.option({ options: kinds, description: 'only missions of this kind' })(),
    q: Flags.string({
      description: 'only missions with this text in the goal, or at the beginning of the id',
      helpValue: 'TEXT',
    }),
    limit: Flags.integer({ description: 'how many', helpValue: 'N' }),
    cursor: Flags.string({ description: 'next_cursor of the page before', helpValue: 'CURSOR' }),
    watch: watchFlag,
  };

  /** The flags that the next page needs again. */
  private filters = '';
  private total: number | null = null;

  protected async act(): Promise<MissionPage> {
    const { flags } = await this.parse(List);
    const again = ['state', 'kind', 'q', 'limit'] as const;
    this.filters = again
      .map((name) => (flags[name] === undefined ? '' : ` --${name} ${quoted(printable(String(flags[name])))}`))
      .join('');
    const { listPage, missionTotal } = await import('../src/app/missions/missions.js');
    const { kind, q, state } = flags;
    const list = (home: Home): MissionPage => {
      const page = listPage(home, flags);
      if (!this.jsonEnabled() && kind === undefined && q === undefined) this.total = missionTotal(home, state);
      return page;
    };
    const read = (): Promise<MissionPage> =>
      this.withHome(flags.home, list, { onlyReads: true, onDamage: 'fails after printing' });
    return flags.watch ? this.watch(read, () => false) : read();
  }

  protected present({ items, next_cursor }: MissionPage): readonly string[] {
    if (items.length === 0)
      return this.filters === '' ? ['no missions', '', 'next: agent-cli examples --output missions'] : ['no missions'];
    const more = next_cursor === null ? [] : [`more: agent-cli list --cursor ${next_cursor}${this.filters}`];
    const isAll = next_cursor === null && (this.total ?? items.length) === items.length;
    return [...missionTable(items), '', totalLine(items.length, this.total, isAll), ...more];
  }
}
