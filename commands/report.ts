import { Args, Flags } from '@oclif/core';
import type { ReportFile } from '../src/app/exports/report.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { pairs } from '../src/cli/table.js';

export default class Report extends AgentCommand<ReportFile> {
  static override description = `Write a result as a report, a spreadsheet or a calendar into a new file.
The HTML report of an approved result holds its export: verify-export checks the report and each figure in it. A result in review becomes a
draft, as .draft.html or .draft.md.`;
  static override examples = [
    '<%= config.bin %> report 0f8fad5b-d9cb-469f-a165-70867728950e --output report.html',
    '<%= config.bin %> report result.export.json --output report.xlsx',
    '<%= config.bin %> report 0f8fad5b --output press.ics --machine press',
  ];
  static override args = {
    mission: Args.string({
      description: "the mission's id, or its first 4 characters or more; or an export, or a report that holds one",
      required: true,
    }),
  };
  static override flags = {
    output: Flags.string({
      description: 'a file that must not exist, ending in .html, .csv, .xlsx, .ics or .md',
      required: true,
      helpValue: 'FILE',
    }),
    machine: Flags.string({ description: 'for .ics: only the operations of this machine', helpValue: 'ID' }),
    job: Flags.string({ description: 'for .ics: only the operations of this job', helpValue: 'ID' }),
  };

  protected async act({ args, flags }: ParsedInput<typeof Report>): Promise<ReportFile> {
    const { reportExport, reportMission } = await import('../src/app/exports/report.js');
    const { output, machine, job } = flags;
    if (/\.(?:json|html)$/i.test(args.mission)) return reportExport(args.mission, output, { machine, job });
    return this.withMission(args.mission, (home, id) => reportMission(home, id, output, { machine, job }), {
      onlyReads: true,
    });
  }

  protected present({ output, sha256, bytes, approved }: ReportFile): readonly string[] {
    return [
      ...pairs([
        ['output', output],
        ['sha256', sha256],
        ['bytes', String(bytes)],
        ['approved', approved ? 'yes' : 'no: a draft, which proves nothing'],
      ]),
    ];
  }
}
