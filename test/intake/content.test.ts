import assert from 'node:assert/strict';
import { contentOf } from '../../src/intake/content.js';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('intake: the content of a file', () => {
  const names: readonly (readonly [string, Buffer])[] = [
    ['a PNG image', latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    ['a WebP image', latin1('RIFF\x10\0\0\0WEBPVP8 ')],
    ['an MP4 video', latin1('\0\0\0\x20ftypisom')],
    ['a gzip archive', latin1('\x1f\x8b\x08\0')],
    ['a tar archive', Buffer.concat([Buffer.from('notes.txt'.padEnd(257, '\0')), latin1('ustar\0')])],
    ['an SQLite database', latin1('SQLite format 3\0')],
    ['an SVG image', Buffer.from('<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['an XML file', Buffer.from('<?xml version="1.0"?><feed></feed>')],
    ['binary data', Buffer.from('a;b\n1;\0\n')],
    ['binary data', Buffer.from([1, 2, 3])],
  ];
  for (const [name, bytes] of names) it(`names ${name}`, () => assert.deepEqual(contentOf(bytes), { type: 'other', name }));

  const types: readonly (readonly [type: string, title: string, bytes: Buffer])[] = [
    ['empty', 'a file without bytes', Buffer.alloc(0)],
    ['pdf', 'a PDF', latin1('%PDF-1.7\n%\xe2\xe3')],
    ['pdf', 'a PDF after other bytes', latin1('\n\n%PDF-1.4\n')],
    ['zip', 'a ZIP archive', latin1('PK\x03\x04\x14\0')],
    ['html', 'a page', Buffer.from('<!doctype html>\n<html><body>Text')],
    ['html', 'a page after a byte order mark and a comment', Buffer.from('\ufeff<!-- saved -->\n<HTML lang="en">')],
    ['html', 'XHTML', Buffer.from('<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C">\n<html/>')],
    ['html', 'a table of a clipboard', Buffer.from('<meta charset="utf-8"><table><tr><td>1</td></tr></table>\n')],
    ['html', 'a page in UTF-16', Buffer.concat([latin1('\xff\xfe'), Buffer.from('<html><p>Text', 'utf16le')])],
    ['text', 'Markdown that begins with a tag', Buffer.from('<p align="center">Logo</p>\n\n# Title\n\nText')],
    ['text', 'Markdown about HTML', Buffer.from('# Pages\n\nA page begins with `<html>`.\n')],
    ['text', 'CSV', Buffer.from('Date,Sales\n2024-01,5\n')],
    ['text', 'Windows-1252', latin1('Erl\xf6se;5\r\n')],
    ['text', 'UTF-16', Buffer.concat([latin1('\xfe\xff'), Buffer.from('a\tb\n', 'utf16le').swap16()])],
    ['text', 'a comparison', Buffer.from('<5 is the limit')],
  ];
  for (const [type, title, bytes] of types) it(`tells ${title}`, () => assert.deepEqual(contentOf(bytes), { type }));
});
