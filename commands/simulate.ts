import { Flags } from '@oclif/core';
import { actorFlag, AgentCommand } from '../src/cli/command.js';
import { resultLines } from '../src/cli/simulation.js';
import { requestDocument, requestFlags } from '../src/cli/simulation-request.js';
import { simulate } from '../src/cli/simulate.js';
import { csvLines } from '../src/codec/simulation-csv.js';
import type { Results } from '../src/codec/api-simulation.js';

export default class Simulate extends AgentCommand<Results> {
  static override description =
    `Forecast how capability grows and which sectors it disrupts, and search for where effort helps most.
The run stands in the home's journal and as a line in ./ledger/runs.jsonl. No server and no token are needed; the home is made when
there is none. The answer is a conditional scenario under the inputs, not a prediction. Ctrl-C records that the run was cancelled.`;
  static override examples = [
    '<%= config.bin %> simulate',
    '<%= config.bin %> simulate --horizon 10 --curve linear --entropy 1.5 --samples 500 --seed 7',
    '<%= config.bin %> simulate --sectors sectors.json --pop-size 100 --generations 50',
    '<%= config.bin %> simulate --entropy 2 --csv > forecast.csv',
  ];
  static override flags = {
    ...requestFlags,
    csv: Flags.boolean({ description: 'print the forecast as comma-separated values', exclusive: ['json'] }),
    genome: Flags.boolean({ description: 'with --json, also the genome of each individual' }),
    as: actorFlag,
  };

  private csv = false;

  protected async act(): Promise<Results> {
    const { flags } = await this.parse(Simulate);
    this.csv = flags.csv;
    const { as: actor, genome, home } = flags;
    const [{ makeMissingHome, settledRequest }, { readSectors }] = await Promise.all([
      import('../src/app/simulation/simulate.js'),
      import('../src/app/simulation/input.js'),
    ]);
    const request = settledRequest(requestDocument(flags, readSectors));
    const made = makeMissingHome(await this.world(home));
    if (made !== null) process.stderr.write(`a home was made at ${made}\n`);
    return this.withHome(home, (opened) => simulate(opened, request, { actor, genome, visible: !this.jsonEnabled() }));
  }

  protected present(results: Results): readonly string[] {
    return this.csv ? csvLines(results.forecast) : resultLines(results);
  }
}
