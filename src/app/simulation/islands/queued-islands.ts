/** Islands that the workers of a queue evolve. The populations are kept here between two epochs. */
import { randomInt } from 'node:crypto';
import { Fault } from '../../../base/refusal.js';
import type { NatsAddress } from '../../../codec/nats-url.js';
import type { Population } from '../../../engines/evolution/problem.js';
import { bestOf } from '../../../engines/simulation/islands.js';
import { Dispatcher } from '../../workers/dispatcher.js';
import { isAccepted } from '../../workers/register.js';
import {
  computeEpoch,
  type Epoch,
  readEpoch,
  readPopulation,
  shapeOf,
  writeEpoch,
  writePopulation,
} from '../../workers/simulation-jobs.js';
import { type EvolvingIslands, type IslandsWatch, type IslandTask, Refuted } from './threads.js';

export class QueuedIslands implements EvolvingIslands {
  private readonly dispatcher: Dispatcher;
  private readonly populations: (Population | null)[];

  constructor(
    private readonly task: IslandTask & { readonly queue: NatsAddress },
    private readonly watch: IslandsWatch,
  ) {
    const { queue, workers } = task;
    this.populations = task.places.map(() => null);
    this.dispatcher = new Dispatcher({
      queue: { address: queue, credentials: workers.credentials },
      accepts: (key) => isAccepted(workers, queue, key),
      compute: ({ input }) => this.compute(input),
      // The dispatcher bounds the time of every job, so that waiting for one is progress.
      checkpoint: () => watch.checkpoint(0),
      onNotice: watch.onWorker,
    });
  }

  readonly evolve: EvolvingIslands['evolve'] = async (epoch, generations, arriving) => {
    const { places } = this.task;
    const evolved = Promise.all(
      places.map((place, i) => this.evolveOne(i, { place, epoch, generations, arriving: arriving(place)[0] ?? null })),
    );
    return (await this.dispatcher.during(evolved)).map(bestOf);
  };

  readonly settle: EvolvingIslands['settle'] = () =>
    Promise.resolve(this.populations.map((population) => new Float64Array(population?.variables ?? [])));

  readonly end = (): void => void this.dispatcher.end();

  private async evolveOne(i: number, given: Pick<Epoch, 'place' | 'epoch' | 'generations' | 'arriving'>): Promise<Population> {
    const { place, epoch, generations } = given;
    const { request, islands, completed } = this.task;
    const job = { request, islands: islands.length, ...given, population: this.populations[i] ?? null };
    const input = writeEpoch(job);
    const { output, key } = await this.dispatcher.submit({ type: 'epoch', name: `${epoch}-${place}`, input });
    const population = readPopulation(output, shapeOf(job));
    if (key !== null && (population === null || !this.isConfirmed(input, output))) throw new Refuted(key);
    if (population === null) throw new Fault('an epoch computed here gave no population');
    this.populations[i] = population;
    Atomics.add(completed, place, generations);
    return population;
  }

  /** Recomputes some of the results, drawn so that no worker can know which. */
  private isConfirmed(input: Uint8Array, output: Uint8Array): boolean {
    return randomInt(this.task.workers.check_one_in) !== 0 || Buffer.compare(this.compute(input), output) === 0;
  }

  private compute(input: Uint8Array): Uint8Array {
    const epoch = readEpoch(input);
    if (epoch === null) throw new Fault('an epoch of this run cannot be read');
    const { checkpoint, alive } = this.watch;
    return writePopulation(computeEpoch(epoch, () => checkpoint(0), alive));
  }
}
