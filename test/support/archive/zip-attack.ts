/** What the reader makes of an archive: its contents, or its refusal in words. */
import assert from 'node:assert/strict';
import { type ArchiveLimits, openArchiveBytes } from '../../../src/archive/read.js';
import { buildZip, type ZipMember, type ZipShape } from './zip-builder.js';
import { laterRefusalOf } from '../app/given-home.js';

export const roomy = { bytes_max: 10_000_000, file_bytes_max: 10_000_000 };

/** Opens an archive and extracts every member. */
export async function contentsOf(bytes: Buffer, limits: ArchiveLimits): Promise<ReadonlyMap<string, string>> {
  const archive = await openArchiveBytes(bytes, limits);
  const contents = new Map<string, string>();
  for (const name of archive.names) {
    const pieces: Buffer[] = [];
    await archive.extract(name, (chunk) => void pieces.push(chunk));
    contents.set(name, Buffer.concat(pieces).toString('latin1'));
  }
  archive.close();
  return contents;
}

async function refusalBy(act: () => Promise<unknown>, done: string): Promise<string> {
  const { code, detail } = (await laterRefusalOf(act)) ?? assert.fail(`the archive was ${done}`);
  return `${code}: ${detail}`;
}

/** The refusal as `code: detail`, of the opening or of the extraction; any other error is thrown, and so is success. */
export const refusalOf = (bytes: Buffer, limits: ArchiveLimits): Promise<string> =>
  refusalBy(() => contentsOf(bytes, limits), 'read');

/** As `refusalOf`, but the opening alone must refuse. */
export const openingOf = (bytes: Buffer, limits: ArchiveLimits): Promise<string> =>
  refusalBy(() => openArchiveBytes(bytes, limits), 'opened');

export const content = 'one of the members, with some text in it\n';

export const limitsFor = (names: readonly string[]): ArchiveLimits => ({ members: names, ...roomy });

/** Asserts that an archive of these members is refused at its opening as `malformed`, in these words. */
export async function refused(
  members: readonly ZipMember[],
  why: string,
  shape: ZipShape = {},
  limits = limitsFor(['a', 'b']),
): Promise<void> {
  assert.equal(await openingOf(buildZip(members, shape), limits), `malformed: the archive ${why}`);
}

/** A good member `a`, and a `b` with what the attack alters. */
export const withB = (altered: Partial<ZipMember>): readonly ZipMember[] => [
  { name: 'a', content },
  { name: 'b', content, ...altered },
];
