/**
 * ZIP archives for tests, byte by byte: every field of every record (APPNOTE.TXT 6.3, section 4.3) may say what it likes. What is
 * not given is what a well-behaved writer would write.
 */
import { crc32, deflateRawSync } from 'node:zlib';

/** Fields of both headers of a member; a name or an extra field in bytes. */
export interface HeaderFields {
  readonly signature: number;
  readonly version_needed: number;
  readonly flags: number;
  readonly method: number;
  readonly time: number;
  readonly date: number;
  readonly crc: number;
  readonly packed_bytes: number;
  readonly bytes: number;
  readonly name_bytes: number;
  readonly extra_bytes: number;
  readonly name: Buffer;
  readonly extra: Buffer;
}

export interface CentralFields extends HeaderFields {
  /** The specification's version in the low byte, the host system in the high one: 3 is Unix, 0 MS-DOS. */
  readonly made_by: number;
  readonly comment_bytes: number;
  readonly disk: number;
  readonly internal: number;
  /** The Unix mode in the upper half, MS-DOS attributes in the lowest byte. */
  readonly external: number;
  readonly local_at: number;
  readonly comment: Buffer;
}

export interface DescriptorFields {
  readonly signature: number;
  readonly crc: number;
  readonly packed_bytes: number;
  readonly bytes: number;
}

export interface ZipMember {
  readonly name: string | Buffer;
  readonly content?: Buffer | string;
  /** 0 stored, 8 deflated (the default); with another one the data are the content unchanged. */
  readonly method?: number;
  /** Instead of what the method makes of the content. */
  readonly data?: Buffer;
  /** Fields of both headers; `local` and `central` say something else for one of them. */
  readonly both?: Partial<HeaderFields>;
  readonly local?: Partial<HeaderFields>;
  readonly central?: Partial<CentralFields>;
  /** A data descriptor behind the data, with these fields altered or in these bytes. */
  readonly descriptor?: true | Partial<DescriptorFields> | Buffer;
  /** Bytes that belong to nothing, before the local header. */
  readonly before?: Buffer;
}

export interface EndFields {
  readonly signature: number;
  readonly disk: number;
  readonly directory_disk: number;
  readonly entries_here: number;
  readonly entries: number;
  readonly directory_bytes: number;
  readonly directory_at: number;
  readonly comment_bytes: number;
}

export interface ZipShape {
  readonly end?: Partial<EndFields>;
  readonly comment?: Buffer;
  /** Bytes before the central directory, between it and the end record, and after all; offsets count the first two in. */
  readonly beforeDirectory?: Buffer;
  readonly afterDirectory?: Buffer;
  readonly suffix?: Buffer;
  /** The members in the order of the central directory, by their index; the default is theirs. */
  readonly directoryOrder?: readonly number[];
}

export const nothing = Buffer.alloc(0);

const u16 = (n: number): Buffer => Buffer.from([n & 0xff, (n >>> 8) & 0xff]);
export const u32 = (n: number): Buffer => Buffer.concat([u16(n & 0xffff), u16(Math.floor(n / 0x10000) & 0xffff)]);

/** An extra field with its tag and length (section 4.5.1). */
export const extraField = (tag: number, data: Buffer): Buffer => Buffer.concat([u16(tag), u16(data.length), data]);

/** The Unix mode as external attributes. */
export const unixMode = (mode: number): number => (mode << 16) >>> 0;

const bytesOf = (text: Buffer | string): Buffer => (typeof text === 'string' ? Buffer.from(text, 'utf8') : text);

function fieldsOf(member: ZipMember, data: Buffer): HeaderFields {
  const content = bytesOf(member.content ?? '');
  const name = member.both?.name ?? bytesOf(member.name);
  const ascii = name.every((byte) => byte < 0x80);
  return {
    signature: 0,
    version_needed: 20,
    flags: (ascii ? 0 : 0x0800) | (member.descriptor === undefined ? 0 : 0x0008),
    method: member.method ?? 8,
    time: 0,
    date: 0x21,
    crc: crc32(content),
    packed_bytes: data.length,
    bytes: content.length,
    name_bytes: name.length,
    extra_bytes: member.both?.extra?.length ?? 0,
    name,
    extra: nothing,
    ...member.both,
  };
}

const common = (fields: HeaderFields): Buffer[] => [
  u16(fields.version_needed),
  u16(fields.flags),
  u16(fields.method),
  u16(fields.time),
  u16(fields.date),
  u32(fields.crc),
  u32(fields.packed_bytes),
  u32(fields.bytes),
  u16(fields.name_bytes),
  u16(fields.extra_bytes),
];

/** Lengths follow an altered name, extra field or comment unless they are altered too. */
function localHeader(fields: HeaderFields, member: ZipMember): Buffer {
  const zero = member.descriptor === undefined ? {} : { crc: 0, packed_bytes: 0, bytes: 0 };
  const { name, extra } = { ...fields, ...member.local };
  const all = { ...fields, signature: 0x04034b50, ...zero, name_bytes: name.length, extra_bytes: extra.length };
  const said = { ...all, ...lengthsOf(member.both), ...member.local };
  return Buffer.concat([u32(said.signature), ...common(said), name, extra]);
}

const lengthsOf = (fields: Partial<HeaderFields> = {}): Partial<HeaderFields> => ({
  ...(fields.name_bytes === undefined ? {} : { name_bytes: fields.name_bytes }),
  ...(fields.extra_bytes === undefined ? {} : { extra_bytes: fields.extra_bytes }),
});

function centralHeader(fields: HeaderFields, member: ZipMember, local_at: number): Buffer {
  const { name, extra, comment } = { comment: nothing, ...fields, ...member.central };
  const all = { ...fields, signature: 0x02014b50, made_by: 0x0314, disk: 0, internal: 0, external: unixMode(0o600), local_at };
  const lengths = { name_bytes: name.length, extra_bytes: extra.length, comment_bytes: comment.length };
  const said = { ...all, ...lengths, ...lengthsOf(member.both), ...member.central };
  const own = [u16(said.comment_bytes), u16(said.disk), u16(said.internal), u32(said.external), u32(said.local_at)];
  return Buffer.concat([u32(said.signature), u16(said.made_by), ...common(said), ...own, name, extra, comment]);
}

function descriptorOf(fields: HeaderFields, { descriptor }: ZipMember): Buffer {
  if (descriptor === undefined) return nothing;
  if (Buffer.isBuffer(descriptor)) return descriptor;
  const said = { ...fields, signature: 0x08074b50, ...(descriptor === true ? {} : descriptor) };
  return Buffer.concat([u32(said.signature), u32(said.crc), u32(said.packed_bytes), u32(said.bytes)]);
}

/** The end of central directory record. */
export function endRecord(fields: EndFields, comment: Buffer = nothing): Buffer {
  const { disk, directory_disk, entries_here, entries, directory_bytes, directory_at, comment_bytes, signature } = fields;
  const counts = [u16(disk), u16(directory_disk), u16(entries_here), u16(entries)];
  return Buffer.concat([u32(signature), ...counts, u32(directory_bytes), u32(directory_at), u16(comment_bytes), comment]);
}

export function buildZip(members: readonly ZipMember[], shape: ZipShape = {}): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const member of members) {
    const content = bytesOf(member.content ?? '');
    const data = member.data ?? ((member.method ?? 8) === 8 ? deflateRawSync(content) : content);
    const fields = fieldsOf(member, data);
    const before = member.before ?? nothing;
    const local = Buffer.concat([before, localHeader(fields, member), data, descriptorOf(fields, member)]);
    directory.push(centralHeader(fields, member, at + before.length));
    pieces.push(local);
    at += local.length;
  }
  const beforeDirectory = shape.beforeDirectory ?? nothing;
  const ordered = Buffer.concat((shape.directoryOrder ?? [...members.keys()]).map((index) => directory[index]!));
  const comment = shape.comment ?? nothing;
  const entries = { entries_here: members.length, entries: members.length };
  const place = { directory_bytes: ordered.length, directory_at: at + beforeDirectory.length };
  const end = {
    signature: 0x06054b50,
    disk: 0,
    directory_disk: 0,
    ...entries,
    ...place,
    comment_bytes: comment.length,
    ...shape.end,
  };
  const tail = [ordered, shape.afterDirectory ?? nothing, endRecord(end, comment), shape.suffix ?? nothing];
  return Buffer.concat([...pieces, beforeDirectory, ...tail]);
}
