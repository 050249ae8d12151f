/** The descriptions that a run carries. When a run is verified they are data: recomputing takes them from the run itself. */
import type { TransferCore } from '../../codec/transfer-run.js';

export type Words = Readonly<ReturnType<typeof wordsOf>>;

/** The descriptions that the reference agent writes, so that the digests of equal runs are equal. */
export const standardWords: Words = {
  contract: 'integer-series -> milliunit-forecast; no tools, network or executable imports',
  rollback: 'Discard capability and rerun B5 without the archive',
  baseline_profile: "manuscript-rsi-p60; B6 is this experiment's treatment",
  unmeasured_baselines: ['B1 incumbent', 'B2 adjacent domain', 'B4 strongest single agent'],
  evidence: {
    meaning: 'executed bounded local computation',
    E3: 'pending independent replay',
    E4: 'pending independent replay and stress',
    E5: 'pending external validation or outcomes',
  },
};

export function wordsOf({ capability, baseline_profile, unmeasured_baselines, evidence_contact }: TransferCore) {
  const { contract, rollback } = capability;
  const { meaning, E3, E4, E5 } = evidence_contact;
  return { contract, rollback, baseline_profile, unmeasured_baselines, evidence: { meaning, E3, E4, E5 } };
}
