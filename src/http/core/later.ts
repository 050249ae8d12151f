/** A value that may be available at once. Each turn of waiting costs a request more than most handlers do. */
export type Later<A> = Promise<A> | A;

export const after = <A, B>(value: Later<A>, next: (value: A) => Later<B>): Later<B> =>
  value instanceof Promise ? value.then(next) : next(value);
