/** Thrown when a worker's result is not what its recomputation gave. */
export class Refuted extends Error {
  /** @param key the worker's public key */
  constructor(readonly key: string) {
    super(`the worker ${key} gave a wrong result`);
  }
}
