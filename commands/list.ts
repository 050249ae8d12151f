import { Flags } from '@oclif/core';
import type { Home } from '../src/app/home/home.js';
import { AgentCommand, type ParsedInput, watchFlag } from '../src/cli/command.js';
import { filterWords, missionFilterFlags, narrows } from '../src/cli/mission-filters.js';
import { noPagerFlag } from '../src/cli/pager.js';
import { missionTable, totalLine } from '../src/cli/table.js';
import type { MissionPage } from '../src/codec/api-missions.js';

export default class List extends AgentCommand<MissionPage> {
  static override description = 'List missions, one line each, the most recently changed first.';
  static override examples = [
    '<%= config.bin %> list',
    '<%= config.bin %> list --state review --json',
    '<%= config.bin %> list --q harbour --wide',
    '<%= config.bin %> list --actor alice --since 2026-11-01',
    '<%= config.bin %> list --needs alice',
    '<%= config.bin %> list --state review --order asc',
  ];
  static override flags = {
    ...missionFilterFlags,
    wide: Flags.boolean({ description: 'print the goals whole, however wide the terminal is' }),
    watch: watchFlag,
    'no-pager': noPagerFlag,
  };

  /** The flags that the next page needs again. */
  private filters = '';
  private total: number | null = null;
  private isWide = false;

  protected async act({ flags }: ParsedInput<typeof List>): Promise<MissionPage> {
    this.isPaged = !flags['no-pager'];
    this.filters = filterWords(flags);
    this.isWide = flags.wide;
    const { listPage, missionTotal } = await import('../src/app/missions/missions.js');
    const { showApprover } = await import('../src/app/approvals/approvers.js');
    const list = (home: Home): MissionPage => {
      if (flags.needs !== undefined) showApprover(home, flags.needs);
      const page = listPage(home, flags);
      if (!this.jsonEnabled() && !narrows(flags)) this.total = missionTotal(home, flags.state);
      return page;
    };
    const read = (): Promise<MissionPage> => this.withHome(list, { onlyReads: true, onDamage: 'fails after printing' });
    return flags.watch ? this.watch(read, () => false) : read();
  }

  protected present({ items, next_cursor }: MissionPage): readonly string[] {
    if (items.length === 0 && next_cursor === null)
      return this.filters === '' ? ['no missions', '', 'next: agent-cli examples --output missions'] : ['no missions'];
    const more =
      next_cursor === null ? [] : [`more: agent-cli list --cursor ${next_cursor}${this.filters}${this.isWide ? ' --wide' : ''}`];
    if (items.length === 0) return ['no match in this part of the missions', ...more];
    const isAll = next_cursor === null && (this.total ?? items.length) === items.length;
    return [...missionTable(items, this.isWide), '', totalLine(items.length, this.total, isAll), ...more];
  }
}
