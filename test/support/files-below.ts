/** The files in a directory and its subdirectories. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns paths relative to the directory, with forward slashes, in a stable order. */
export const filesBelow = (directory: string, prefix = ''): string[] =>
  readdirSync(`${directory}/${prefix}`, { withFileTypes: true })
    .flatMap((item) => (item.isDirectory() ? filesBelow(directory, `${prefix}${item.name}/`) : [`${prefix}${item.name}`]))
    .toSorted();

/** Returns the names, modes and bytes of all files in a directory and its subdirectories, to see whether anything changed. */
export const contentsBelow = (directory: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((name) => {
        const stat = statSync(join(directory, name));
        return [name, stat.isFile() ? `${stat.mode} ${readFileSync(join(directory, name), 'base64')}` : 'directory'];
      }),
  );
