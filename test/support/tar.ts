/** Archives in ustar form (POSIX.1-1988), as small as the golden homes need: regular files and directories, names up to 100 bytes. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

export interface TarEntry {
  /** With forward slashes; a directory's name ends with one. */
  readonly name: string;
  readonly mode: number;
  readonly bytes: Buffer;
}

const block_bytes = 512;
const name_bytes_max = 100;
const [mode_at, size_at, checksum_at, type_at, magic_at] = [100, 124, 148, 156, 257];
const magic = 'ustar\x0000';
const pad = (bytes: number): number => (block_bytes - (bytes % block_bytes)) % block_bytes;

/** The same entries give the same bytes: sorted by name, of owner 0, changed at 0. */
export function tarBytes(entries: readonly TarEntry[]): Buffer {
  const sorted = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  const parts = sorted.flatMap((entry) => [headerOf(entry), entry.bytes, Buffer.alloc(pad(entry.bytes.length))]);
  return Buffer.concat([...parts, Buffer.alloc(2 * block_bytes)]);
}

function headerOf({ name, mode, bytes }: TarEntry): Buffer {
  if (Buffer.byteLength(name) > name_bytes_max) throw new Error(`the name ${name} has more than ${name_bytes_max} bytes`);
  const header = Buffer.alloc(block_bytes);
  const octal = (value: number, at: number, digits: number): number =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at);
  header.write(name);
  octal(mode, mode_at, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes.length, size_at, 11);
  octal(0, 136, 11);
  header.write(name.endsWith('/') ? '5' : '0', type_at);
  header.write(magic, magic_at, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, checksum_at);
  return header;
}

/** The sum of a header's bytes, its own field counted as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < checksum_at || at >= type_at) sum += byte;
  return sum;
}

/** @throws Error for anything that `tarBytes` does not write */
export function readTar(archive: Buffer): TarEntry[] {
  const entries: TarEntry[] = [];
  for (let at = 0; archive[at] !== 0; ) {
    const header = archive.subarray(at, at + block_bytes);
    const octal = (from: number, digits: number): number => Number.parseInt(header.toString('latin1', from, from + digits), 8);
    if (header.toString('latin1', magic_at, magic_at + 8) !== magic || octal(checksum_at, 6) !== checksumOf(header))
      throw new Error(`no ustar header at byte ${at}`);
    const name = header.toString('utf8', 0, header.indexOf(0));
    const type = String.fromCharCode(header[type_at] ?? 0);
    if (type !== (name.endsWith('/') ? '5' : '0')) throw new Error(`${name} is an entry of type ${type}`);
    if (name.startsWith('/') || name.split('/').includes('..')) throw new Error(`${name} leads elsewhere`);
    const begin = at + block_bytes;
    const size = octal(size_at, 11);
    entries.push({ name, mode: octal(mode_at, 7), bytes: archive.subarray(begin, begin + size) });
    at = begin + size + pad(size);
  }
  return entries;
}

/** A directory's content as a compressed archive; the members of the directory are its top names. */
export const packDirectory = (directory: string): Buffer => gzipSync(tarBytes(entriesUnder(directory, '')), { level: 9 });

function entriesUnder(directory: string, prefix: string): TarEntry[] {
  return readdirSync(join(directory, prefix), { withFileTypes: true }).flatMap((item) => {
    const name = `${prefix}${item.name}`;
    const mode = statSync(join(directory, name)).mode & 0o777;
    if (item.isDirectory()) return [{ name: `${name}/`, mode, bytes: Buffer.alloc(0) }, ...entriesUnder(directory, `${name}/`)];
    if (!item.isFile()) throw new Error(`${name} is neither a file nor a directory`);
    return [{ name, mode, bytes: readFileSync(join(directory, name)) }];
  });
}

/** Unpacks into a directory that exists, with the modes that the archive names. */
export function unpackInto(directory: string, archive: Buffer): void {
  for (const { name, mode, bytes } of readTar(gunzipSync(archive))) {
    const path = join(directory, name);
    if (name.endsWith('/')) {
      mkdirSync(path);
    } else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes, { flag: 'wx' });
    }
    chmodSync(path, mode);
  }
}
