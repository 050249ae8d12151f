/** Compares the headers before and after a member's data with the central directory. */
import {
  descriptor_bytes,
  descriptor_signature,
  flag_descriptor,
  local_bytes,
  local_signature,
  readDescriptor,
  readLocal,
  type LocalHeader,
  type Member,
} from './format.js';
import { extraWords } from './header-rules.js';
import { shownName } from './names.js';
import { malformed, type Source } from './source.js';

type Field = Exclude<keyof LocalHeader, 'signature' | 'extra_bytes'>;
const compared: readonly (readonly [field: Field, what: string])[] = [
  ['name_bytes', 'the length of its name'],
  ['version_needed', 'the version needed'],
  ['flags', 'flags'],
  ['method', 'method'],
  ['time', 'time'],
  ['date', 'date'],
  ['crc', 'CRC'],
  ['packed_bytes', 'packed size'],
  ['bytes', 'size'],
];
/** With a descriptor behind the data these are zero in the local header (APPNOTE 4.4.4, bit 3). */
const deferred: readonly Field[] = ['crc', 'packed_bytes', 'bytes'];

export const descriptorBytes = ({ header }: Member): number => ((header.flags & flag_descriptor) === 0 ? 0 : descriptor_bytes);

/** Refuses a local header (APPNOTE 4.3.7) that differs from the central one in any field. */
export function expectLocal(source: Source, member: Member): void {
  const { header, name, data_at } = member;
  const own = Buffer.from(name, 'utf8');
  const refuse = (why: string): Error => malformed(source, `has a member ${shownName(own)} ${why}`);
  const local = readLocal(source.read(header.local_at, local_bytes));
  if (local.signature !== local_signature) throw refuse('without a local header where the central directory has it');
  for (const [field, what] of compared) {
    const expected = descriptorBytes(member) > 0 && deferred.includes(field) ? 0 : header[field];
    if (local[field] !== expected) throw refuse(`whose two headers differ in ${what}`);
  }
  const other = source.read(header.local_at + local_bytes, local.name_bytes);
  if (!other.equals(own)) throw refuse(`whose local header has another name, ${shownName(other)}`);
  if (local.extra_bytes === 0) return;
  const extra = source.read(data_at, Math.min(local.extra_bytes, source.size - data_at));
  throw refuse(`that has ${extraWords(extra)} in its local header`);
}

/** Refuses a data descriptor (APPNOTE 4.3.9) that differs from the central header, or has no signature. */
export function expectDescriptor(source: Source, member: Member): void {
  const { header, name, data_at } = member;
  if (descriptorBytes(member) === 0) return;
  const said = readDescriptor(source.read(data_at + header.packed_bytes, descriptor_bytes));
  const agrees = said.crc === header.crc && said.packed_bytes === header.packed_bytes && said.bytes === header.bytes;
  if (said.signature === descriptor_signature && agrees) return;
  const what = said.signature === descriptor_signature ? 'differs from the central directory' : 'is missing';
  throw malformed(source, `has a member ${shownName(Buffer.from(name, 'utf8'))} whose data descriptor ${what}`);
}
