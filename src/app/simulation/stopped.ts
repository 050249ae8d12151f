/** The error thrown when a run is stopped on request. */
export class Stopped extends Error {}
