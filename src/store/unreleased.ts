/** Recognises the journals of builds that were not released, by the checksum of the migration that founded them. */
import { RefusalError } from '../base/refusal.js';
import { openSqliteFile } from './sqlite-file.js';

const foundings: ReadonlySet<unknown> = new Set([
  '5b86f2d3d9bc0fc84f657f04f9c9876d759174c0a33c7d7d94c411ff0e3eec3c',
  '36b5d568e88fd26d220f7ec2f7f189b28ce1bf7b6a675de3f501314426a5ce72',
  'e497d90998d1616a6d09aa0db31c01696385ef96ab9fba679d39ed45b6680be2',
]);

/** @throws RefusalError `unreleased_home` for the checksum of such a migration */
export function refuseUnreleased(sha256: unknown): void {
  if (!foundings.has(sha256)) return;
  throw new RefusalError('unreleased_home', 'this home was made by a build that was not released');
}

const row_bytes_max = 4_096;

/**
 * Reads the file without SQLite, which would change it. Call it only while this process does not have the journal open: to close the file
 * ends the process's locks on it. What cannot be read is left to the checks at opening.
 * @throws RefusalError `unreleased_home`
 */
export function refuseUnreleasedFile(journal: string): void {
  for (const sha256 of checksums(journal)) refuseUnreleased(sha256);
}

function checksums(journal: string): readonly unknown[] {
  try {
    const file = openSqliteFile(journal, { payload_bytes_max: row_bytes_max });
    try {
      return Array.from(file.rows('migration') ?? [], ({ values: [, sha256] }) => sha256);
    } finally {
      file.close();
    }
  } catch {
    return [];
  }
}
