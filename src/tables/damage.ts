/** What happens when a row or an entry is found damaged: most commands refuse, some tolerate it and say so. */
import { type Refusal, RefusalError } from '../base/refusal.js';

export type Damage = Readonly<ReturnType<typeof collectingDamage>>;

/** Tolerates nothing. */
export const refusingDamage: Damage = {
  report: (refusal) => {
    throw new RefusalError(refusal);
  },
  found: () => [],
};

/** Returns whether the first refusal names the same entry as the second one, or the same table as a whole. */
const covers = ({ facts: known }: Refusal, { facts }: Refusal): boolean =>
  (facts?.['sequence'] !== undefined && known?.['sequence'] === facts['sequence']) ||
  (facts?.['table'] !== undefined && known?.['table'] === facts['table'] && known['row'] === undefined);

/** Tolerates damage and collects it. @param known what was found before */
export function collectingDamage(known: readonly (Refusal | null)[]) {
  const found: Refusal[] = [];
  /** Keeps a refusal that is tolerated. @throws RefusalError with it when damage is not tolerated */
  const report = (refusal: Refusal): void => {
    if (!found.some((known) => known.detail === refusal.detail || covers(known, refusal))) found.push(refusal);
  };
  for (const refusal of known) if (refusal !== null) report(refusal);
  return {
    report,
    /** Returns what was reported, each damaged entry and each table that is damaged as a whole once. */
    found: (): readonly Refusal[] => found,
  };
}
