/**
 * Checks the whole structure of a ZIP file before anything is extracted. An accepted file can be read in only one way: the members'
 * headers and data fill the file from its first byte to the central directory without a gap, that fills it to the end record,
 * and the two headers of a member agree in every field (APPNOTE.TXT 6.3, sections 4.3.6 to 4.3.16).
 */
import { fromUtf8 } from '../base/bytes.js';
import type { RefusalError } from '../base/result.js';
import { findEnd } from './end-record.js';
import { central_bytes, central_signature, end_bytes, flag_utf8, local_bytes, readCentral } from './format.js';
import type { EndRecord, Member } from './format.js';
import { extraWords, headerFault } from './header-rules.js';
import { descriptorBytes, expectDescriptor, expectLocal } from './local.js';
import { foldedName, nameFault, shownName } from './names.js';
import { malformed, type Source } from './source.js';

export interface ArchiveLimits {
  /** The required names; no other names are allowed except `optional` ones. */
  readonly members: readonly string[];
  readonly optional?: readonly string[];
  /** Size of all members together, uncompressed. */
  readonly bytes_max: number;
  /** Size of the archive itself. */
  readonly file_bytes_max: number;
}

const quoted = (name: string): string => shownName(Buffer.from(name, 'utf8'));

/** One central header with its name; the next one begins at `next`. */
function readEntry(source: Source, at: number, end: number): { readonly member: Member; readonly next: number } {
  if (at + central_bytes > end) throw malformed(source, 'has a central directory that ends inside a header');
  const header = readCentral(source.read(at, central_bytes));
  if (header.signature !== central_signature) throw malformed(source, 'has no header where its central directory counts one');
  const extra_at = at + central_bytes + header.name_bytes;
  const next = extra_at + header.extra_bytes + header.comment_bytes;
  if (next > end) throw malformed(source, 'has a central directory that ends inside a header');
  const bytes = source.read(at + central_bytes, header.name_bytes);
  const why = nameFault(bytes, (header.flags & flag_utf8) !== 0);
  if (why !== null) throw malformed(source, `has a member ${shownName(bytes)} whose name ${why}`);
  const name = fromUtf8(bytes) ?? '';
  if (header.extra_bytes !== 0) throw memberFault(source, name, `has ${extraWords(source.read(extra_at, header.extra_bytes))}`);
  const fault = headerFault(header);
  if (fault !== null) throw memberFault(source, name, fault);
  return { member: { name, header, data_at: header.local_at + local_bytes + header.name_bytes }, next };
}

const memberFault = (source: Source, name: string, why: string): RefusalError =>
  malformed(source, `has a member ${quoted(name)} that ${why}`);

function readDirectory(source: Source, end: EndRecord): Member[] {
  const members: Member[] = [];
  const end_at = source.size - end_bytes;
  let at = end.directory_at;
  while (members.length < end.entries) {
    if (at === end_at) {
      throw malformed(source, `counts ${end.entries} members and its central directory holds ${members.length}`);
    }
    const { member, next } = readEntry(source, at, end_at);
    members.push(member);
    at = next;
  }
  if (at < end_at) throw malformed(source, `counts ${end.entries} members, but its central directory continues after them`);
  return members;
}

/** Checks the names: each occurs once, even when case and Unicode normal form are ignored, and they are exactly those of the limits. */
function expectNames(source: Source, members: readonly Member[], { members: required, optional = [] }: ArchiveLimits): void {
  const seen = new Map<string, string>();
  for (const { name } of members) {
    const other = seen.get(foldedName(name));
    if (other === name) throw malformed(source, `has two members ${quoted(name)}`);
    if (other !== undefined) {
      throw malformed(source, `has members ${quoted(other)} and ${quoted(name)}, which some disks take for one name`);
    }
    seen.set(foldedName(name), name);
  }
  for (const { name } of members) {
    if (!required.includes(name) && !optional.includes(name)) {
      throw malformed(source, `has a member ${quoted(name)} that does not belong in it`);
    }
  }
  const missing = required.filter((name) => !members.some((member) => member.name === name));
  if (missing.length > 0) throw malformed(source, `lacks ${missing.join(', ')}`);
}

/** Checks that the members, in any order, fill the file up to the central directory without a gap or an overlap, and that their headers agree. */
function expectFilled(source: Source, members: readonly Member[], directory_at: number): void {
  const inOrder = [...members].sort((a, b) => a.header.local_at - b.header.local_at);
  let at = 0;
  for (const member of inOrder) {
    const { name, header, data_at } = member;
    if (header.local_at >= directory_at) throw memberFault(source, name, 'begins behind the place for members');
    const gap = header.local_at - at;
    if (gap > 0 && at === 0) throw malformed(source, `has ${gap} bytes before its first member`);
    if (gap > 0) throw malformed(source, `has ${gap} bytes that belong to nothing before ${quoted(name)}`);
    if (gap < 0) throw malformed(source, `has members that overlap: ${quoted(name)} begins inside another`);
    at = data_at + header.packed_bytes + descriptorBytes(member);
    if (at > directory_at) throw memberFault(source, name, 'runs into the central directory');
    expectLocal(source, member);
    expectDescriptor(source, member);
  }
  if (at < directory_at) throw malformed(source, `has ${directory_at - at} bytes between its members and its central directory`);
}

/** Returns every member in the order of the central directory. @throws RefusalError */
export function readStructure(source: Source, limits: ArchiveLimits): readonly Member[] {
  const end = findEnd(source);
  const members_max = limits.members.length + (limits.optional?.length ?? 0);
  if (end.entries > members_max) throw malformed(source, `counts ${end.entries} members, at most ${members_max} belong in it`);
  const members = readDirectory(source, end);
  expectNames(source, members, limits);
  const bytes = members.reduce((sum, { header }) => sum + header.bytes, 0);
  if (bytes > limits.bytes_max) {
    throw source.refusal('too_large', `declares ${bytes} bytes of members, at most ${limits.bytes_max} are read`);
  }
  expectFilled(source, members, end.directory_at);
  return members;
}
