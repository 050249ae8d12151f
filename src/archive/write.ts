/**
 * Writes ZIP archives whose bytes depend only on the members: stored, so that no version of zlib matters; 1980-01-01
 * 00:00, the format's first moment; mode 0600, made on Unix; no extra fields, no comments, no Zip64.
 */
import * as fs from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { Fault } from '../base/refusal.js';
import { bytesSource, chunks, fileSource, type Source } from './source.js';

/** Members up to this size are held in memory while they are written, so that their header contains CRC and size. */
const archive_buffered_bytes_max = 1_048_576;

export interface ArchiveMember {
  readonly name: string;
  readonly source: Buffer | { readonly file: string };
}

interface OpenedSource {
  readonly name: string;
  readonly source: Source;
}

/** The values from which yazl writes Zip64 records (APPNOTE 4.4.1.4). */
const [zip64_members, zip64_bytes] = [0xffff, 0xffffffff];
/** More than the headers of a member and the end record. */
const headers_bytes_max = 1_024;

/**
 * yazl turns a moment into MS-DOS time by the local clock (APPNOTE 4.4.6 knows no zone), so the moment is local as well; without
 * the Unix timestamp there is no extra field.
 */
const fixed = () => ({ mtime: new Date(1980, 0, 1), mode: 0o600, compress: false, forceDosTimestamp: true });

function expectSizes(opened: readonly OpenedSource[]): void {
  const bytes = opened.reduce((sum, { source }) => sum + source.size + headers_bytes_max, headers_bytes_max);
  if (opened.length >= zip64_members || bytes >= zip64_bytes)
    throw new Fault('an archive of 4 GiB or of 65 535 members would need Zip64, which is not written');
}

/** Adds a small member at once, with CRC and sizes in its header, and a large one as a stream, with a data descriptor after it. */
function add(zip: ZipFile, { name, source }: OpenedSource, fail: (error: Error) => void): Readable | null {
  if (source.size <= archive_buffered_bytes_max) {
    zip.addBuffer(source.read(0, source.size), name, fixed());
    return null;
  }
  const stream = Readable.from(chunks(source, 0, source.size), { objectMode: false });
  stream.on('error', fail);
  zip.addReadStreamLazy(name, { ...fixed(), size: source.size }, (give) => give(null, stream));
  return stream;
}

/** Yields the bytes of an archive, as `writeArchive` writes them. Ending the loop early closes everything that is open. */
export async function* archived(members: readonly ArchiveMember[]): AsyncGenerator<Buffer, void, undefined> {
  const opened: OpenedSource[] = [];
  const streams: (Readable | null)[] = [];
  try {
    for (const { name, source } of members) {
      const from = Buffer.isBuffer(source) ? bytesSource(source, name, zip64_bytes) : fileSource(source.file, zip64_bytes);
      opened.push({ name, source: from });
    }
    expectSizes(opened);
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    // Neither yazl nor pipe() hands an error on to the stream that is read here.
    const fail = (error: Error): void => void output.destroy(error);
    zip.on('error', fail);
    for (const each of opened) streams.push(add(zip, each, fail));
    zip.end();
    for await (const chunk of output) yield chunk as Buffer;
    for (const { source } of opened) source.expectUnchanged();
  } finally {
    for (const stream of streams) stream?.destroy();
    for (const { source } of opened) source.close();
  }
}

/**
 * Writes an archive into an empty file, which the caller has created, and syncs it. Members are in the order given and are read one after the other. A fault of
 * the disk is thrown as it is; what was written by then is the caller's to remove. A file that changes meanwhile is refused.
 */
export async function writeArchive(file: string, members: readonly ArchiveMember[]): Promise<void> {
  const fd = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW);
  try {
    if (fs.fstatSync(fd).size !== 0) throw new Fault('an archive is written into an empty file');
    for await (const chunk of archived(members)) fs.writeFileSync(fd, chunk);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Returns the bytes that `writeArchive` would write. */
export const archiveBytes = (members: readonly ArchiveMember[]): Promise<Buffer> => buffer(archived(members));
