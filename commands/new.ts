import { Args, Flags } from '@oclif/core';
import { quoted, standard_stream } from '../src/base/text.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { canAsk } from '../src/cli/decide.js';
import { makeMission, missionName, type NewMission, understoodLines } from '../src/cli/intake.js';
import { intakeFlags, intakeOptions, type ReadKind, readKinds } from '../src/cli/intake-flags.js';

export default class New extends AgentCommand<NewMission> {
  static override description =
    'Make a mission file from a spreadsheet or from documents. No home is needed, and nothing is queued.';
  static override examples = [
    '<%= config.bin %> new forecast --from sales.csv',
    '<%= config.bin %> new schedule --from jobs.xlsx --sheet Orders --output plan.json',
    '<%= config.bin %> new allocation --from proposals.xlsx --set budget=25000 --map "Benefit=value"',
    '<%= config.bin %> new research --from notes/ --goal "When are the boats inspected?"',
  ];
  static override args = {
    kind: Args.string({ description: 'what the mission is', options: [...readKinds], required: true }),
  };
  static override streams = ['from', 'output'];
  static override flags = {
    from: Flags.string({
      description: 'a workbook (.xlsx), CSV file, document or directory of documents, or - for standard input',
      helpValue: 'FILE',
      multiple: true,
      required: true,
    }),
    output: Flags.string({
      description: 'the mission file, by default named after the first file; - for standard output',
      helpValue: 'FILE',
    }),
    ...intakeFlags,
  };

  private understood: readonly string[] = [];

  protected async act({ args, flags }: ParsedInput<typeof New>): Promise<NewMission> {
    const { inputFiles, missionText, requireNew, writeMission } = await import('../src/app/intake/input.js');
    const output = flags.output ?? missionName(flags.from[0] ?? '', args.kind);
    requireNew(output);
    const files = inputFiles(flags.from);
    const mayAsk = canAsk() && !this.jsonEnabled();
    const mission = await makeMission(args.kind as ReadKind, files, intakeOptions(flags), mayAsk);
    const { kind, rows, notes, provenance, draft } = mission.made;
    if (output === standard_stream) {
      this.remark(notes);
      this.printDocument(missionText(draft));
    } else writeMission(output, draft);
    this.understood = understoodLines(mission, files);
    return { output, kind, rows, notes, provenance, draft };
  }

  protected present({ output }: NewMission): readonly string[] {
    return [...this.understood, '', `wrote ${output}`, '', `next: agent-cli run ${quoted(output)} --execute`];
  }
}
