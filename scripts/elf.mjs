/**
 * Which shared libraries a program or library for Linux needs, and which versions of them: the sections .dynamic and .gnu.version_r of an ELF
 * file (gabi, Linux LSB 5.0).
 */
const magic = 0x7f_45_4c_46;
const [class_64, little_endian] = [2, 1];
const verneed = 0x6f_ff_ff_fe;
const [dynamic, dynamic_entry_bytes, needed] = [6, 16, 1n];
/** A relocation format that glibc reads since 2.36; its symbol version has no number. */
const relr = ['GLIBC_ABI_DT_RELR', 'GLIBC_2.36'];

function sectionsOf(bytes) {
  const [at, size, count] = [Number(bytes.readBigUInt64LE(0x28)), bytes.readUInt16LE(0x3a), bytes.readUInt16LE(0x3c)];
  return Array.from({ length: count }, (_, n) => {
    const header = at + n * size;
    return {
      type: bytes.readUInt32LE(header + 0x04),
      at: Number(bytes.readBigUInt64LE(header + 0x18)),
      size: Number(bytes.readBigUInt64LE(header + 0x20)),
      link: bytes.readUInt32LE(header + 0x28),
      entries: bytes.readUInt32LE(header + 0x2c),
    };
  });
}

const textAt = (bytes, at) => bytes.toString('latin1', at, bytes.indexOf(0, at));

function elfSections(bytes) {
  if (bytes.length < 0x40 || bytes.readUInt32BE(0) !== magic || bytes[4] !== class_64 || bytes[5] !== little_endian)
    throw new Error('not a 64-bit little-endian ELF file');
  return sectionsOf(bytes);
}

/** Returns the names of the libraries, such as libc.so.6. @throws for a file that is not a 64-bit little-endian ELF file */
function neededLibraries(bytes) {
  const sections = elfSections(bytes);
  return sections
    .filter(({ type }) => type === dynamic)
    .flatMap(({ at, size, link }) =>
      Array.from({ length: size / dynamic_entry_bytes }, (_, n) => at + n * dynamic_entry_bytes)
        .filter((entry) => bytes.readBigUInt64LE(entry) === needed)
        .map((entry) => textAt(bytes, sections[link].at + Number(bytes.readBigUInt64LE(entry + 8)))),
    );
}

/** The libraries of glibc, GCC and the loader, which every Linux with glibc and libstdc++ has. */
const systemLibrary = /^(?:lib(?:c|m|dl|pthread|rt|stdc\+\+|gcc_s|atomic)\.so\.\d+|ld-linux[\w-]*\.so\.\d+)$/;

/** Returns the needed libraries that a Linux with glibc and libstdc++ may lack: a Node of a distribution has its OpenSSL or zlib there. */
export const foreignLibraries = (bytes) => neededLibraries(bytes).filter((name) => !systemLibrary.test(name));

/** Returns names such as GLIBC_2.28 and GLIBCXX_3.4.21. @throws for a file that is not a 64-bit little-endian ELF file */
export function neededVersions(bytes) {
  const sections = elfSections(bytes);
  const found = [];
  for (const section of sections.filter(({ type }) => type === verneed)) {
    const names = sections[section.link].at;
    let library = section.at;
    for (let n = 0; n < section.entries; n++) {
      let version = library + bytes.readUInt32LE(library + 8);
      for (let m = 0; m < bytes.readUInt16LE(library + 2); m++) {
        found.push(textAt(bytes, names + bytes.readUInt32LE(version + 8)));
        version += bytes.readUInt32LE(version + 12);
      }
      library += bytes.readUInt32LE(library + 12);
    }
  }
  return found.map((name) => (name === relr[0] ? relr[1] : name));
}

const compared = (a, b) => {
  const [x, y] = [a, b].map((version) => version.split('.').map(Number));
  const differs = x.findIndex((part, n) => part !== (y[n] ?? 0));
  return differs < 0 ? x.length - y.length : x[differs] - (y[differs] ?? 0);
};

/** Returns the newest version of a prefix such as GLIBC, without the prefix; null where nothing needs one. */
export function newestOf(prefix, names) {
  const versions = names.flatMap((name) => new RegExp(`^${prefix}_(\\d+(?:\\.\\d+)*)$`).exec(name)?.[1] ?? []);
  return versions.reduce((newest, version) => (newest === null || compared(version, newest) > 0 ? version : newest), null);
}
