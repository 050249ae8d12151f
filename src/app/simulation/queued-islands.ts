/** Islands that the workers of a queue evolve. The populations are kept here between two epochs. */
import { randomBytes, randomInt } from 'node:crypto';
import { Fault } from '../../base/fault.js';
import type { NatsAddress } from '../../codec/nats-url.js';
import type { Population } from '../../engines/evolution/problem.js';
import { bestOf, type Migrants } from '../../engines/simulation/islands.js';
import { openNats } from '../../nats/connect.js';
import { isAccepted } from '../jobs/accepted.js';
import { Dispatcher } from '../jobs/dispatcher.js';
import { ownRelease } from '../jobs/release.js';
import { computeEpoch, readEpoch, readPopulation, shapeOf, writeEpoch, writePopulation } from './epoch-job.js';
import type { EvolvingIslands, IslandsWatch } from './evolving-islands.js';
import type { IslandTask } from './island-threads.js';
import { Refuted } from './refuted.js';

export interface QueuedTask extends IslandTask {
  readonly queue: NatsAddress;
}

/** Time between two checks of whether the run must end, while workers compute. */
const look_ms = 100;
const task_bytes = 16;

export class QueuedIslands implements EvolvingIslands {
  private readonly dispatcher: Dispatcher;
  private readonly populations: (Population | null)[];
  private readonly timer: NodeJS.Timeout;
  /** Rejects when the run must end. */
  private readonly stopped: Promise<never>;

  constructor(
    private readonly task: QueuedTask,
    private readonly watch: IslandsWatch,
  ) {
    const { queue, workers } = task;
    this.populations = task.places.map(() => null);
    this.dispatcher = new Dispatcher({
      connect: (signal) => openNats(queue, workers.credentials, signal),
      release: ownRelease,
      task: randomBytes(task_bytes).toString('hex'),
      accepts: (key) => isAccepted(workers, queue, key),
      compute: ({ input }) => this.compute(input),
      onLost: (key) => watch.onWorker({ type: 'lost', key }),
      onRefused: (key, why) => watch.onWorker({ type: 'ignored', key, why }),
      onAlone: (isAlone) => watch.onWorker({ type: 'alone', isAlone }),
    });
    let stop: (error: unknown) => void = () => undefined;
    this.stopped = new Promise((_, reject) => (stop = reject));
    this.stopped.catch(() => undefined);
    // The dispatcher bounds the time of every job, so that waiting for one is progress.
    this.timer = setInterval(() => {
      try {
        watch.checkpoint(0);
      } catch (error) {
        stop(error);
      }
    }, look_ms);
  }

  readonly evolve: EvolvingIslands['evolve'] = async (epoch, generations, arriving) => {
    const { places } = this.task;
    const evolved = Promise.all(
      places.map((place, i) => this.evolveOne(i, { place, epoch, generations, arriving: arriving(place)[0] ?? null })),
    );
    const populations = await Promise.race([evolved, this.stopped]);
    return populations.map(bestOf);
  };

  readonly settle: EvolvingIslands['settle'] = () =>
    Promise.resolve(this.populations.map((population) => new Float64Array(population?.variables ?? [])));

  readonly end = (): void => {
    clearInterval(this.timer);
    void this.dispatcher.end();
  };

  private async evolveOne(
    i: number,
    {
      place,
      epoch,
      generations,
      arriving,
    }: { readonly place: number; readonly epoch: number; readonly generations: number; readonly arriving: Migrants | null },
  ): Promise<Population> {
    const { request, islands, completed } = this.task;
    const job = {
      request,
      islands: islands.length,
      place,
      epoch,
      generations,
      population: this.populations[i] ?? null,
      arriving,
    };
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
