/** Finds the names that a mistyped word may stand for. */

const shown_max = 3;
const prefix_chars_min = 3;

/** Returns the number of characters to insert, delete, replace or swap with their neighbour that turn one word into the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const at = (cells: readonly number[], k: number): number => cells[k] ?? Number.POSITIVE_INFINITY;
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + (same ? 0 : 1),
          swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** Returns the nearest names, the nearest first: those with at most a third of their characters wrong, or that begin with the word. */
export function nearest(word: string, names: readonly string[]): string[] {
  const found = names.flatMap((name) => {
    const begins = word.length >= prefix_chars_min && name.startsWith(word);
    const far = begins ? 0 : distance(word, name);
    return begins || far <= Math.max(1, Math.floor(Math.max(word.length, name.length) / 3)) ? [{ name, far }] : [];
  });
  return found
    .toSorted((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, shown_max)
    .map(({ name }) => name);
}
