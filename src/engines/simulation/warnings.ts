/** Warnings about a run's inputs. */
import type { Path, Scenario } from './scenario.js';

export function warningsOf(scenario: Scenario, paths: readonly Path[], hypervolume: number | null): string[] {
  return [
    ...disruptionWarning(scenario, paths),
    ...unusedWarning(scenario),
    ...(hypervolume === null ? ['the hypervolume is beyond the numbers that can be written, so it is null'] : []),
  ];
}

function disruptionWarning({ sectors }: Scenario, paths: readonly Path[]): string[] {
  if (sectors.every(({ entropy }) => entropy === 0))
    return ['no sector has entropy: none can be disrupted, effort changes nothing, and neither curve, k nor x0 matters'];
  if (paths.some(({ disrupted_year }) => disrupted_year !== null)) return [];
  const isPossible = paths.some(({ free }, i) => free.some((energy) => energy < (sectors[i]?.entropy ?? 0)));
  return [
    isPossible
      ? 'no sector is disrupted within the horizon: capability × entropy never exceeds energy; a steeper curve, more entropy or less energy would change that'
      : "no sector can be disrupted under these inputs: each sector's energy is at least its entropy in every year, so that not even full capability (1) disrupts it; raise entropy, or lower energy or growth",
  ];
}

function unusedWarning({ request: { curve, k, x0, sectors, energy, entropy, num_sectors } }: Scenario): string[] {
  const steep = curve === 'linear' && (k !== null || x0 !== null) ? ['k and x0 do not apply to the linear curve'] : [];
  const isGiven = energy !== 1 || entropy !== 1 || num_sectors !== 6;
  const beside = sectors !== null && isGiven ? ['energy, entropy and num_sectors are not used beside a list of sectors'] : [];
  return [...steep, ...beside];
}
