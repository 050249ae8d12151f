/** The files in a directory and its subdirectories. */
import { readdirSync } from 'node:fs';

/** Returns paths relative to the directory, with forward slashes, in a stable order. */
export function filesBelow(directory: string, prefix = ''): string[] {
  return readdirSync(`${directory}/${prefix}`, { withFileTypes: true })
    .flatMap((item) => (item.isDirectory() ? filesBelow(directory, `${prefix}${item.name}/`) : [`${prefix}${item.name}`]))
    .toSorted();
}
