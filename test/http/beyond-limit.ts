/** Returns a response beyond a limit in time, once that is used up; the second one if the time of the limit has ended just before the first. */
export async function beyondLimit<A extends { readonly status: number }>(
  useUp: () => Promise<unknown>,
  ask: () => Promise<A>,
): Promise<A> {
  await useUp();
  const first = await ask();
  if (first.status === 429) return first;
  await useUp();
  return ask();
}
