/** Whether anybody but its owner can use a private file. */
import * as fs from 'node:fs';

const group_and_others = 0o077;

/** Returns what is wrong with owner and mode of a private file or directory, or null. */
export function permissionFault(file: string): string | null {
  if (process.platform === 'win32') return null;
  const stat = fs.lstatSync(file);
  if (stat.isSymbolicLink()) return `is a symbolic link to ${targetOf(file)}`;
  if ((stat.mode & group_and_others) !== 0) {
    return `has mode ${(stat.mode & 0o777).toString(8).padStart(4, '0')}, others could use it`;
  }
  const uid = process.getuid?.();
  if (uid !== undefined && uid !== 0 && stat.uid !== uid) return 'belongs to another user';
  return null;
}

/** Returns the path to which a link leads in the end; what it names where nothing is there. */
export function targetOf(link: string): string {
  try {
    return fs.realpathSync(link);
  } catch {
    return `${fs.readlinkSync(link)}, which does not exist`;
  }
}
