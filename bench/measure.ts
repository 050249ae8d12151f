/** Rates by elapsed and by processor time: on a machine that others use, only the second is that of a machine of its own. */

export interface Measured {
  /** Elapsed time. */
  readonly ms: number;
  /** Processor time of all threads of this process. */
  readonly cpu_ms: number;
}

export async function measure(run: () => unknown): Promise<Measured> {
  const before = process.cpuUsage();
  const began = performance.now();
  await run();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return { ms, cpu_ms: (user + system) / 1_000 };
}

/** Returns how many times a second `run` does what it does `count` times. */
export function rate(count: number, run: () => void): number {
  const began = performance.now();
  run();
  return (count * 1_000) / (performance.now() - began);
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const whole = (n: number): string => Math.round(n).toLocaleString('en-US');
