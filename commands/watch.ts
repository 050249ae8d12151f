import { Args } from '@oclif/core';
import type { MissionPage, MissionRecord } from '../src/codec/api-missions.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { isSettled, missionLines } from '../src/cli/render.js';
import { missionTable, totalLine } from '../src/cli/table.js';

type WatchReport = MissionRecord | MissionPage;

export default class Watch extends AgentCommand<WatchReport> {
  static override description = `Show a mission, or the newest missions, again whenever something changes.
It ends when the mission is no longer queued or running, or with Ctrl-C. The same as show --watch and list --watch.`;
  static override examples = ['<%= config.bin %> watch', '<%= config.bin %> watch 0f8f'];
  static override args = { mission: Args.string({ description: "a mission's id, or its first 4 characters or more" }) };

  protected async act({ args }: ParsedInput<typeof Watch>): Promise<WatchReport> {
    const { listPage, showMission } = await import('../src/app/missions/missions.js');
    const options = { onlyReads: true, onDamage: 'fails after printing' } as const;
    const { mission } = args;
    return mission === undefined
      ? this.watch(
          () => this.withHome((home) => listPage(home, {}), options),
          () => false,
        )
      : this.watch(
          () => this.withMission(mission, showMission, options),
          (shown) => 'id' in shown && isSettled(shown),
        );
  }

  protected present(shown: WatchReport): readonly string[] {
    if ('id' in shown) return missionLines(shown);
    const { items, next_cursor } = shown;
    return items.length === 0
      ? ['no missions']
      : [...missionTable(items), '', totalLine(items.length, null, next_cursor === null)];
  }
}
