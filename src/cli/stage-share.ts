/** The share of a whole attempt that is done, from the progress of its stages. */
import { roles, type Role } from '../codec/roles.js';

/** What each stage takes of the whole, roughly; the strategy stage is the search. */
const weights: Readonly<Record<Role, number>> = {
  planning: 2,
  research: 2,
  strategy: 80,
  market: 4,
  codegen: 4,
  safety: 4,
  memory: 4,
};

interface Step {
  /** Names the work in progress. */
  readonly label: string;
  /** From 0 to 1. */
  readonly done: number;
}

/** Returns what to show after a stage reported its share. The verification follows the search before the next stage begins. */
export function overall(stage: Role, done: number): Step {
  const before = roles.slice(0, roles.indexOf(stage)).reduce((sum, role) => sum + weights[role], 0);
  const total = roles.reduce((sum, role) => sum + weights[role], 0);
  const next = done < 1 ? stage : stage === 'strategy' ? 'verifying' : (roles[roles.indexOf(stage) + 1] ?? stage);
  return { label: next, done: (before + weights[stage] * Math.min(1, Math.max(0, done))) / total };
}

/** The search takes most of a simulation; the quantiles and the verification follow it. */
const search_share = 0.9;

export const simulated = (done: number): Step =>
  done < 1 ? { label: 'search', done: done * search_share } : { label: 'quantiles', done: search_share };
