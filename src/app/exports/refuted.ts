/** The failure of a check of an export. */
export class Refuted extends Error {}

/** @throws Refuted */
export const refute = (reason: string): never => {
  throw new Refuted(reason);
};
