import { Flags } from '@oclif/core';
import type { SweepReport } from '../src/app/simulation/runs/sweep.js';
import { unwrap } from '../src/base/result.js';
import { actorFlag, AgentCommand } from '../src/cli/command.js';
import { namingFlags, requestDocument, requestFlags, simulate, simulateSweep, sweepLines } from '../src/cli/simulate.js';
import { resultLines } from '../src/cli/simulation.js';
import type { Results } from '../src/codec/api-simulation.js';
import { csvLines } from '../src/codec/simulation-results.js';
import { readSweep } from '../src/domain/sweep.js';

export default class Simulate extends AgentCommand<Results | SweepReport> {
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
    '<%= config.bin %> simulate --entropy 2 --sweep k=5..15:1 --seeds 20',
  ];
  static override flags = {
    ...requestFlags,
    csv: Flags.boolean({ description: 'print the forecast as comma-separated values', exclusive: ['json'] }),
    genome: Flags.boolean({ description: 'with --json, also the genome of each individual' }),
    sweep: Flags.string({ description: 'FIELD=FROM..TO:STEP: run a field over a range', exclusive: ['csv', 'genome'] }),
    seeds: Flags.integer({ description: 'runs of each value (default: 1)', min: 1, dependsOn: ['sweep'], helpValue: 'N' }),
    as: actorFlag,
  };
  private csv = false;
  private name: string | undefined;

  protected async act(): Promise<Results | SweepReport> {
    const { flags } = await this.parse(Simulate);
    const { as: actor, genome, home } = flags;
    this.csv = flags.csv;
    this.name = flags.name;
    const [{ makeMissingHome, namedRequest }, { readSectors }] = await Promise.all([
      import('../src/app/simulation/runs/simulate.js'),
      import('../src/app/simulation/runs/simulate.js'),
    ]);
    const document = requestDocument(flags, readSectors);
    const sweep = flags.sweep === undefined ? null : unwrap(readSweep(flags.sweep));
    const { request, name } = namingFlags(flags, () => namedRequest(document));
    const made = makeMissingHome(await this.world(home));
    if (made !== null) process.stderr.write(`home created: ${made}\n`);
    return this.withHome<Results | SweepReport>(home, (opened) =>
      sweep === null
        ? simulate(opened, request, { actor, genome, name, visible: !this.jsonEnabled() })
        : simulateSweep(opened, document, { actor, visible: !this.jsonEnabled(), sweep, seeds: flags.seeds ?? 1 }),
    );
  }

  protected present(results: Results | SweepReport): readonly string[] {
    if ('points' in results) return sweepLines(results);
    return this.csv ? csvLines(results.forecast) : resultLines(results, this.name);
  }
}
