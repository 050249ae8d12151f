/** Gauges that are read whenever Prometheus collects them, and those that every server has. */
import { Gauge, type Registry } from 'prom-client';
import { workerStates, type WorkerState } from '../../codec/jobs.js';

interface BusCounts {
  readonly peers: () => number;
  readonly dropped: () => number;
  readonly messages: () => Readonly<Record<string, number>>;
}

export class Gauges {
  constructor(private readonly registry: Registry) {}

  add(name: string, help: string, value: () => number): void {
    const collect = (): void => gauge.set(value());
    const gauge: Gauge = new Gauge({ name, help, registers: [this.registry], collect });
  }

  /** Adds a gauge with one value for each label. */
  addLabelled(name: string, help: string, label: string, values: () => Readonly<Record<string, number>>): void {
    const collect = (): void => {
      for (const [key, value] of Object.entries(values())) gauge.set({ [label]: key }, value);
    };
    const gauge: Gauge = new Gauge({ name, help, labelNames: [label], registers: [this.registry], collect });
  }

  /** @param valid the result of the last verification of the journal; null before the first one */
  addJournal(prefix: string, entries: () => number, valid: () => boolean | null): void {
    this.add(`${prefix}_journal_entries`, 'Entries in the journal, which is the sequence of its head', entries);
    this.add(
      `${prefix}_journal_valid`,
      'Last verification of the journal: 1 (valid), 0 (not valid), or -1 before the first',
      () => {
        const found = valid();
        return found === null ? -1 : Number(found);
      },
    );
  }

  /** @param states heartbeat in Unix seconds and number of restarts of each agent */
  addAgents(prefix: string, states: () => Readonly<Record<string, { last_beat: number; restarts: number }>>): void {
    const of = (member: 'last_beat' | 'restarts') => (): Readonly<Record<string, number>> =>
      Object.fromEntries(Object.entries(states()).map(([name, agent]) => [name, agent[member]]));
    this.addLabelled(`${prefix}_last_beat_seconds`, 'Unix time of the last heartbeat', 'agent', of('last_beat'));
    this.addLabelled(`${prefix}_restarts`, 'Restarts recorded in the journal of the home', 'agent', of('restarts'));
  }

  /** @param workers the workers of queues; null while no queue is in use */
  addWorkers(prefix: string, workers: () => readonly WorkerState[] | null): void {
    this.addLabelled(`${prefix}_workers`, 'Workers of queues heard from in the last ten minutes', 'state', () => {
      const all = workers() ?? [];
      return Object.fromEntries(workerStates.map((state) => [state, all.filter((worker) => worker.state === state).length]));
    });
  }

  addBus(prefix: string, { peers, dropped, messages }: BusCounts): void {
    this.add(`${prefix}_bus_peers`, 'Open connections of the message bus', peers);
    this.add(`${prefix}_bus_dropped`, 'Connections of the message bus that the server closed or refused', dropped);
    this.addLabelled(`${prefix}_bus_messages`, 'Messages of the bus since the process began', 'result', () => ({
      ...messages(),
    }));
  }

  addProcess(): void {
    this.add('process_resident_memory_bytes', 'Memory that the process holds', () => process.memoryUsage.rss());
    this.add('process_cpu_seconds', 'Processor time that the process took, all threads together', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
  }
}
