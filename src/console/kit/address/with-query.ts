/** Members that say nothing (null, empty) are left out. */
export function withQuery(path: string, members: Readonly<Record<string, string | number | null>>): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== null && value !== '') words.set(name, String(value));
  return words.size === 0 ? path : `${path}?${words.toString()}`;
}
