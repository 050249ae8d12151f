/** Versions of this program and their order (Semantic Versioning 2.0.0, section 11). */
const number = '(?:0|[1-9][0-9]*)';
const identifier = `(?:${number}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`;
const build = '(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?';
const pattern = new RegExp(`^(${number}\\.${number}\\.${number})(?:-(${identifier}(?:\\.${identifier})*))?${build}$`);

/** Returns below 0 where `a` comes before `b`, 0 where neither does. A text that is not a version comes before every version. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [pattern.exec(a), pattern.exec(b)];
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  const [, core = '', prerelease = null] = left;
  const [, otherCore = '', otherPrerelease = null] = right;
  if (core !== otherCore) return core.localeCompare(otherCore, 'en', { numeric: true });
  if (prerelease !== null && otherPrerelease !== null) return prerelease.localeCompare(otherPrerelease, 'en', { numeric: true });
  // 2.0.0-dev comes before 2.0.0.
  return Number(prerelease === null) - Number(otherPrerelease === null);
}
