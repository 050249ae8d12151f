/**
 * Writes ZIP archives whose bytes depend only on the members: stored, so that no version of zlib matters; 1980-01-01
 * 00:00, the format's first moment; mode 0600, made on Unix; no extra fields, no comments, no Zip64.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { ZipFile } from 'yazl';
import { Fault } from '../base/fault.js';
import { archive_buffered_bytes_max } from '../base/limits.js';
import { central_bytes, descriptor_bytes, end_bytes, local_bytes, zip64_u16, zip64_u32 } from './format.js';
import { foldedName, nameFault } from './names.js';
import { bytesSource, chunks, fileSource, type Source } from './source.js';

export interface ArchiveMember {
  readonly name: string;
  readonly source: Buffer | { readonly file: string };
}

export interface Written {
  readonly bytes: number;
  /** Hexadecimal, of the archive. */
  readonly sha256: string;
}

interface Opened {
  readonly name: string;
  readonly source: Source;
}

const writeAt = promisify(fs.write);

/**
 * yazl turns a moment into MS-DOS time by the local clock (APPNOTE 4.4.6 knows no zone), so the moment is local as well; without
 * the Unix timestamp there is no extra field.
 */
const fixed = () => ({ mtime: new Date(1980, 0, 1), mode: 0o600, compress: false, forceDosTimestamp: true });

/** Checks names: one that could not be read back is a bug of the caller. */
function expectNames(members: readonly ArchiveMember[]): void {
  const seen = new Set<string>();
  for (const { name } of members) {
    const why = nameFault(Buffer.from(name, 'utf8'), true);
    if (why !== null) throw new Fault(`the name of an archive's member ${why}: ${JSON.stringify(name)}`);
    if (seen.has(foldedName(name))) throw new Fault(`an archive has two members ${name}`);
    seen.add(foldedName(name));
  }
}

/** Below every limit from which yazl writes Zip64 records. */
function expectSizes(opened: readonly Opened[]): void {
  const headers = local_bytes + central_bytes + descriptor_bytes;
  const size = (sum: number, { name, source }: Opened): number => sum + headers + 2 * Buffer.byteLength(name) + source.size;
  if (opened.length >= zip64_u16 || opened.reduce(size, end_bytes) >= zip64_u32) {
    throw new Fault('an archive of 4 GiB or of 65 535 members would need Zip64, which is not written');
  }
}

/** Adds a small member at once, with CRC and sizes in its header, and a large one as a stream, with a data descriptor after it. */
function add(zip: ZipFile, { name, source }: Opened, fail: (error: Error) => void): Readable | null {
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
  expectNames(members);
  const opened: Opened[] = [];
  const streams: (Readable | null)[] = [];
  try {
    for (const { name, source } of members) {
      const from = Buffer.isBuffer(source) ? bytesSource(source, name, zip64_u32) : fileSource(source.file, zip64_u32);
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
 * Writes an archive into a file that the caller has made, open for writing (a descriptor) or by its path, and empty; by path it is
 * synced before this resolves. Members are in the order given and are read one after the other. A fault of the disk is thrown as
 * it is; what was written by then is the caller's to remove. A file that changes meanwhile is refused.
 */
export async function writeArchive(target: number | string, members: readonly ArchiveMember[]): Promise<Written> {
  if (typeof target === 'number') return writeInto(target, members);
  const fd = fs.openSync(target, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW);
  try {
    const written = await writeInto(fd, members);
    fs.fsyncSync(fd);
    return written;
  } finally {
    fs.closeSync(fd);
  }
}

async function writeInto(fd: number, members: readonly ArchiveMember[]): Promise<Written> {
  if (fs.fstatSync(fd).size !== 0) throw new Fault('an archive is written into an empty file');
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of archived(members)) {
    hash.update(chunk);
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await writeAt(fd, chunk, done, chunk.length - done, bytes + done);
      done += bytesWritten;
    }
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Returns the bytes that `writeArchive` would write. */
export async function archiveBytes(members: readonly ArchiveMember[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const chunk of archived(members)) pieces.push(chunk);
  return Buffer.concat(pieces);
}
