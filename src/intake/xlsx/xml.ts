/** Reads the XML of a workbook's parts as events. No entity is expanded: a document type, which could declare one, is refused. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { RefusalError } from '../../base/refusal.js';
import { raised } from '../cells/fold.js';

export interface XmlHandlers {
  /** @param tag its name without a prefix */
  readonly open: (tag: string, attributes: Readonly<Record<string, string>>) => void;
  /** @param text what the element holds after its last child */
  readonly close: (tag: string, text: string) => void;
}

/** A refusal of what the workbook holds; `read.ts` puts the name of the file before it. */
export const damaged = (detail: string): RefusalError => new RefusalError('malformed', detail);

/** Joins the runs of a text: without what is struck out, and with the number of a note raised, so that it is no digit of a number. */
export class RunText {
  text = '';
  private isRaised = false;
  private isStruck = false;

  open(tag: string, { val = '1' }: Readonly<Record<string, string>>): void {
    if (tag === 'si' || tag === 'c') this.text = '';
    if (tag === 'si' || tag === 'c' || tag === 'r') this.isRaised = this.isStruck = false;
    if (tag === 'vertAlign') this.isRaised = val === 'superscript';
    if (tag === 'strike') this.isStruck = val === '1' || val === 'true';
  }

  close(tag: string, held: string): void {
    if (tag === 't' && !this.isStruck) this.text += this.isRaised ? raised(held) : held;
  }
}

const piece_bytes = 1_048_576;

/** Some programs write every name with a prefix, and the names that are read here are different without one. */
const bare = (name: string): string => name.slice(name.indexOf(':') + 1);

/** @param part its name in the archive, for refusals @throws RefusalError */
export function readXml(bytes: Buffer, part: string, { open, close }: XmlHandlers): void {
  const parser = new SaxesParser();
  let text = '';
  parser.on('doctype', () => {
    throw damaged(`${part} has a document type declaration, which could declare entities; save the workbook again`);
  });
  parser.on('error', ({ message }) => {
    throw damaged(`the workbook is damaged: ${part} is not well-formed XML (${message.slice(0, 100)})`);
  });
  parser.on('text', (more) => (text += more));
  parser.on('cdata', (more) => (text += more));
  // The pronunciation beside a text is not a part of it.
  let isSpoken = false;
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    text = '';
    isSpoken ||= bare(name) === 'rPh';
    if (!isSpoken) open(bare(name), attributes);
  });
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    if (!isSpoken) close(bare(name), text);
    else isSpoken = bare(name) !== 'rPh';
    text = '';
  });
  for (const piece of pieces(bytes, part)) parser.write(piece);
  parser.close();
}

function* pieces(bytes: Buffer, part: string): Generator<string, void, undefined> {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += piece_bytes)
      yield decoder.decode(bytes.subarray(at, at + piece_bytes), { stream: at + piece_bytes < bytes.length });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw damaged(`the workbook is damaged: ${part} is not text in UTF-8`);
  }
}
