/** The part of autocannon that `bench/http.ts` uses; the package has no types of its own. */
declare module 'autocannon' {
  export interface Options {
    readonly url: string;
    readonly connections: number;
    /** The number of requests. */
    readonly amount: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly requests?: readonly { readonly path: string }[];
  }
  export interface Result {
    readonly non2xx: number;
    readonly errors: number;
  }
  interface Run extends Promise<Result> {
    on(event: 'response', listener: () => void): void;
  }
  const run: (options: Options) => Run;
  export default run;
}
