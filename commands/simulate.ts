import { Flags } from '@oclif/core';
import { actorFlag, AgentCommand, type ParsedInput } from '../src/cli/command.js';
import * as cli from '../src/cli/simulate.js';
import { resultLines } from '../src/cli/simulation.js';
import type { Results } from '../src/codec/api-simulation.js';
import { forecastRows } from '../src/codec/simulation-results.js';
import { csvText } from '../src/reports/csv.js';
import type { SweepRecord } from '../src/codec/sweep.js';

export default class Simulate extends AgentCommand<Results | SweepRecord> {
  static override description =
    `Forecast how capability grows and which sectors it disrupts, and search for where effort helps most.
The run is recorded in the home's journal and in ./ledger/runs.jsonl. No server and no token are needed; a missing home is created.
The result is a conditional scenario under the inputs, not a prediction. Ctrl-C records that the run was cancelled.
--sweep runs one field over a range, each value with the same seeds. AGI_ISLAND_BACKENDS says where runs are computed.`;
  static override examples = [
    '<%= config.bin %> simulate',
    '<%= config.bin %> simulate --horizon 10 --curve linear --entropy 2 --samples 500 --name "first look"',
    '<%= config.bin %> simulate --sectors sectors.json --pop-size 100 --generations 50',
    '<%= config.bin %> simulate --entropy 2 --csv > forecast.csv',
    '<%= config.bin %> simulate --horizon 10 --curve linear --sweep entropy=1..3:0.25 --seeds 20',
  ];
  static override flags = {
    ...cli.requestFlags,
    csv: Flags.boolean({ description: 'print the forecast as comma-separated values', exclusive: ['json'] }),
    genome: Flags.boolean({ description: 'with --json, also the genome of each individual' }),
    sweep: Flags.string({ description: 'vary a field', helpValue: 'FIELD=FROM..TO:STEP', exclusive: ['csv', 'genome'] }),
    seeds: Flags.integer({ description: 'runs of each value (default: 1)', min: 1, dependsOn: ['sweep'], helpValue: 'N' }),
    as: actorFlag,
  };
  protected override linesHoldWarnings = true;
  private csv = false;
  private name: string | undefined;

  protected async act({ flags }: ParsedInput<typeof Simulate>): Promise<Results | SweepRecord> {
    const { as: actor, genome } = flags;
    [this.csv, this.name] = [flags.csv, flags.name];
    const [{ makeMissingHome, namedRequest, readSectors }, { sweepOf }] = await Promise.all([
      import('../src/app/simulation/runs/simulate.js'),
      import('../src/app/simulation/runs/sweeps.js'),
    ]);
    const document = cli.requestDocument(flags, readSectors);
    const body = flags.sweep === undefined ? null : cli.sweepDocument(document, flags.sweep, flags.seeds);
    const { request, name } = cli.namingFlags(flags, () => namedRequest(document));
    if (body !== null) cli.namingFlags(flags, () => sweepOf(body));
    const made = makeMissingHome(await this.world());
    if (made !== null) process.stderr.write(`home created: ${made}\n`);
    return this.withHome<Results | SweepRecord>((opened) =>
      body === null
        ? cli.simulate(opened, request, { actor, genome, name, visible: !this.jsonEnabled() })
        : cli.simulateSweep(opened, body, { actor, visible: !this.jsonEnabled() }),
    );
  }

  protected present(results: Results | SweepRecord): readonly string[] {
    if ('points' in results) return cli.sweepLines(results);
    return this.csv ? csvText(forecastRows(results.forecast)).trimEnd().split('\r\n') : resultLines(results, this.name);
  }
}
