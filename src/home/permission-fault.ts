/** Whether anybody but its owner can use a private file. */
import * as fs from 'node:fs';

const group_and_others = 0o077;

/** Returns what is wrong with owner and mode of a private file or directory, or null. */
export function permissionFault(file: string): string | null {
  if (process.platform === 'win32') return null;
  const stat = fs.lstatSync(file);
  if (stat.isSymbolicLink()) return `is a symbolic link to ${targetOf(file)}`;
  if (isForeign(stat)) return 'belongs to another user';
  if ((stat.mode & group_and_others) === 0) return null;
  return `has mode ${(stat.mode & 0o777).toString(8).padStart(4, '0')}, others could use it`;
}

/** Returns whether another user owns a file, for which root may do anything. */
export function isForeign({ uid }: fs.Stats): boolean {
  const own = process.getuid?.() ?? 0;
  return own !== 0 && uid !== own;
}

/** Returns the path to which a link leads in the end; what it names where nothing is there. */
export function targetOf(link: string): string {
  try {
    return fs.realpathSync(link);
  } catch {
    return `${fs.readlinkSync(link)}, which does not exist`;
  }
}
