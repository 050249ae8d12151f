/** Dockets as archives: what other writers make is read, what attacks the reader is refused. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { checksums, docketNames, runMember } from '../../src/engines/transfer/docket.js';
import { atEffort } from '../support/effort.js';
import { folderForEach } from '../support/temporary-home.js';
import { docketFiles, reviewed, runOf, verifyFile, zipOf } from '../support/transfer-samples.js';
import { buildZip, unixMode, type ZipMember, type ZipShape } from '../support/zip-builder.js';

const files = docketFiles(reviewed(runOf()));
const members: readonly ZipMember[] = [...files].map(([name, content]) => ({ name, content }));
const each = (change: (member: ZipMember) => ZipMember): ZipMember[] => members.map(change);
const one = (name: string, change: Partial<ZipMember>): ZipMember[] =>
  each((member) => (member.name === name ? { ...member, ...change } : member));
const spec = '03_benchmark_tasks/spec.json';

describe('transfer docket: archives of other writers', () => {
  const folder = folderForEach();
  const judge = (bytes: Buffer): Promise<string> => {
    const file = join(folder.get(), 'docket.zip');
    writeFileSync(file, bytes);
    return verifyFile(file);
  };

  it('verify when they are deflated, with the time of writing', async () => {
    assert.equal(await judge(zipOf(files)), 'verified');
    assert.equal(await judge(buildZip(each((member) => ({ ...member, both: { time: 0x2a08, date: 0x5d74 } })))), 'verified');
  });

  it('verify when they are stored, marked as UTF-8, made on MS-DOS, without a date, as browsers write them', async () => {
    const browser = each((member) => ({
      ...member,
      method: 0,
      both: { flags: 0x0800, date: 0, time: 0 },
      central: { made_by: 20, external: 0 },
    }));
    assert.equal(await judge(buildZip(browser)), 'verified');
  });

  it('verify with their members in another order', async () => {
    assert.equal(await judge(buildZip(members.toReversed())), 'verified');
  });
});

describe('transfer docket: hostile archives', () => {
  const folder = folderForEach();
  const judge = async (made: readonly ZipMember[] | Buffer, shape?: ZipShape): Promise<string> => {
    const file = join(folder.get(), 'docket.zip');
    writeFileSync(file, Buffer.isBuffer(made) ? made : buildZip(made, shape));
    return (await verifyFile(file)).replace(file, 'FILE');
  };
  const extra = (name: string): readonly ZipMember[] => [...members, { name, content: 'x' }];
  const bomb = Buffer.alloc(2_000_000);
  const good = zipOf(files);

  const cases: readonly (readonly [string, readonly ZipMember[] | Buffer, RegExp, ZipShape?])[] = [
    ['a file too many', extra('13_more.md'), /^malformed: FILE counts 16 members/],
    ['another file instead', one(spec, { name: '03_benchmark_tasks/other.json' }), /^malformed: .*does not belong in it$/],
    ['a file less', members.slice(1), /^malformed: FILE lacks 00_manifest\.md$/],
    ['no checksums', members.filter(({ name }) => name !== checksums), /^malformed: FILE lacks checksums\.json$/],
    ['a file twice', one(spec, { name: runMember }), /^malformed: FILE has two members/],
    ['a name in other case', one(spec, { name: runMember.toUpperCase() }), /^malformed: /],
    ['a name that leads out', one(spec, { name: '../spec.json' }), /^malformed: .*leads out of its directory$/],
    ['an absolute name', one(spec, { name: '/etc/passwd' }), /^malformed: .*is an absolute path$/],
    ['a link', one(spec, { central: { external: unixMode(0o120777) } }), /^malformed: .*is a symbolic link$/],
    ['a wrong CRC', one(spec, { both: { crc: 7 } }), /^malformed: .*does not have its CRC$/],
    ['another size', one(spec, { both: { bytes: 10 } }), /^malformed: .*holds more than the 10 bytes it declares$/],
    ['two sizes', one(spec, { local: { bytes: 10 } }), /^malformed: /],
    ['a method of its own', one(spec, { method: 12 }), /^malformed: /],
    ['encryption', one(spec, { both: { flags: 1 } }), /^malformed: /],
    ['a comment', members, /^malformed: /, { comment: Buffer.from('x') }],
    ['bytes before', members, /^malformed: /, { beforeDirectory: Buffer.from('x') }],
    ['bytes behind', members, /^malformed: /, { suffix: Buffer.from('x') }],
    ['a file of 2 000 000 bytes', one(spec, { content: bomb }), /^too_large: .*at most 1000000 are read$/],
    ['a file of 1 000 001 bytes', one(spec, { content: Buffer.alloc(1_000_001) }), /^too_large: .*at most 1000000 are read$/],
    [
      'a file that says it is small',
      one(spec, { data: deflateRawSync(bomb), both: { bytes: 1_000 } }),
      /^malformed: .*holds more than the 1000 bytes it declares$/,
    ],
    ['3 000 001 bytes of files', each((member) => ({ ...member, content: Buffer.alloc(250_000) })), /^too_large: FILE declares/],
    [
      'files that are not UTF-8',
      one('02_environment.md', { content: Buffer.from([0xff]) }),
      /^malformed: 02_environment\.md: not valid UTF-8$/,
    ],
    ['empty files', each((member) => ({ ...member, content: '' })), /^malformed: checksums\.json: the document ends too early/],
    ['nothing', buildZip([]), /^malformed: FILE lacks 00_manifest\.md, 01_claims/],
    ['two letters', Buffer.from('PK'), /^malformed: /],
    ['half an archive', good.subarray(0, good.length >> 1), /^malformed: /],
    [
      'an archive too large',
      Buffer.concat([Buffer.from('PK'), Buffer.alloc(2_999_999)]),
      /^too_large: FILE has more than 3000000 bytes$/,
    ],
  ];
  for (const [title, made, expected, shape] of cases) {
    it(`are refused with ${title}`, async () => assert.match(await judge(made, shape), expected));
  }

  it('are refused with any byte changed, except those of dates and modes', async () => {
    const stride = atEffort(23, 1);
    let verified = 0;
    for (let at = 0; at < good.length; at += stride) {
      const bytes = Buffer.from(good);
      bytes[at] = (bytes[at] ?? 0) ^ 0x01;
      const said = await judge(bytes);
      if (said === 'verified') verified++;
      else assert.match(said, /^(?:malformed|invalid|too_large|refuted): ./, `byte ${at}`);
    }
    // Every member has 4 bytes of date and time in both headers, and 2 of the version and 4 of attributes in the central one.
    assert.ok(verified <= (docketNames.length * 14) / stride + 14, `${verified} alterations were not noticed`);
  });
});
