/** Versions of this program and their order (Semantic Versioning 2.0.0, section 11). */

type Version = readonly [core: readonly string[], prerelease: readonly string[]];

const number = '(?:0|[1-9][0-9]*)';
const identifier = `(?:${number}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`;
const build = '(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?';
const pattern = new RegExp(`^(${number}\\.${number}\\.${number})(?:-(${identifier}(?:\\.${identifier})*))?${build}$`);

/** Returns the parts of a version, or null for a text that is not one. Build metadata does not affect the order. */
function readVersion(text: string): Version | null {
  const [, core, prerelease] = pattern.exec(text) ?? [];
  return core === undefined ? null : [core.split('.'), prerelease?.split('.') ?? []];
}

/** Returns below 0 where `a` comes before `b`, 0 where neither does. A text that is not a version comes before every version. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [readVersion(a), readVersion(b)];
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  return compareLists(left[0], right[0]) || comparePrereleases(left[1], right[1]);
}

/** 2.0.0-dev comes before 2.0.0. */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Number(a.length === 0) - Number(b.length === 0);
  return compareLists(a, b);
}

/** The first difference decides; without one, the longer list comes later. */
function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers come before texts; they have no leading zeros, so that a longer one is larger, however large. */
function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [/^[0-9]+$/.test(a), /^[0-9]+$/.test(b)];
  if (left !== right) return left ? -1 : 1;
  if (left && a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
