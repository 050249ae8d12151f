/** A run was told to stop. */
export class Stopped extends Error {}
