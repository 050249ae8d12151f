import { AgentCommand, type ParsedInput, missionArg, watchFlag } from '../src/cli/command.js';
import { queueReason } from '../src/cli/execute.js';
import { noPagerFlag } from '../src/cli/pager.js';
import { isSettled, wholeLines } from '../src/cli/render.js';
import type { Home } from '../src/app/home/home.js';
import type { MissionRecord } from '../src/codec/api-missions.js';

export default class Show extends AgentCommand<MissionRecord> {
  static override description = 'Show a mission: its state, inputs, result and next steps.';
  static override examples = ['<%= config.bin %> show 0f8f', '<%= config.bin %> show 0f8f --watch'];
  static override args = { mission: missionArg };
  static override flags = { watch: watchFlag, 'no-pager': noPagerFlag };

  protected async act({ args, flags }: ParsedInput<typeof Show>): Promise<MissionRecord> {
    this.isPaged = !flags['no-pager'];
    const read = (): Promise<MissionRecord> => this.read(args.mission);
    return flags.watch ? this.watch(read, isSettled) : read();
  }

  private async read(mission: string): Promise<MissionRecord> {
    const { showMission } = await import('../src/app/missions/missions.js');
    const show = async (opened: Home, id: string): Promise<MissionRecord> => {
      const shown = showMission(opened, id);
      // A daemon keeps the reason to itself.
      const reason = shown.queue_position === undefined ? null : await queueReason(opened, id);
      return reason === null ? shown : { ...shown, queue_reason: reason.detail };
    };
    return this.withMission(mission, show, {
      onlyReads: true,
      onDamage: 'fails after printing',
    });
  }

  protected present = wholeLines;
}
