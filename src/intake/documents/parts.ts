/** Cuts a document into sources of a research mission: a text each, with the places of its blocks in it. */
import { source_blocks_max, source_text_chars_max } from '../../base/limits.js';
import type { Block as PlacedBlock } from '../../kinds/research/work.js';
import type { Block, TextDocument } from '../types.js';

export interface Part {
  readonly title: string;
  readonly text: string;
  readonly blocks: readonly PlacedBlock[];
}

export interface PartLimits {
  readonly chars_max: number;
  readonly blocks_max: number;
}

/** A source of a request admits as much. */
const part_limits: PartLimits = { chars_max: source_text_chars_max, blocks_max: source_blocks_max };
/** With what is added to it, a title is shorter than a source may have. */
const title_chars_max = 160;

/** Returns the parts of a document, which end where a block does; their titles say which pages they are. */
export function partsOf(document: TextDocument, limits: PartLimits = part_limits): readonly Part[] {
  const groups = grouped(
    document.blocks.flatMap((block) => pieces(block, limits.chars_max)),
    limits,
  );
  const title = document.title.slice(0, title_chars_max).toWellFormed().trim();
  return groups.map((blocks, i) => ({
    title: groups.length === 1 ? title : `${title} (${whichPart(blocks, i, groups.length)})`,
    ...placed(blocks),
  }));
}

function whichPart(blocks: readonly Block[], i: number, count: number): string {
  const pages = blocks.flatMap(({ page }) => page ?? []);
  const [first, last] = [pages[0], pages.at(-1)];
  if (first === undefined || last === undefined) return `part ${i + 1} of ${count}`;
  return first === last ? `page ${first}` : `pages ${first}–${last}`;
}

/** Rows of a table are lines; other blocks are parted by a blank line. */
const between = (above: Block | undefined, below: Block): string => {
  if (above === undefined) return '';
  return above.type === 'table_row' && below.type === 'table_row' ? '\n' : '\n\n';
};

function grouped(blocks: readonly Block[], { chars_max, blocks_max }: PartLimits): readonly (readonly Block[])[] {
  const groups: Block[][] = [];
  let chars = 0;
  for (const block of blocks) {
    const group = groups.at(-1);
    const more = between(group?.at(-1), block).length + block.text.length;
    if (group === undefined || group.length >= blocks_max || chars + more > chars_max) {
      groups.push([block]);
      chars = block.text.length;
    } else {
      group.push(block);
      chars += more;
    }
  }
  return groups;
}

function placed(blocks: readonly Block[]): Pick<Part, 'text' | 'blocks'> {
  let text = '';
  const places = blocks.map((block, i): PlacedBlock => {
    text += between(blocks[i - 1], block);
    const start = text.length;
    text += block.text;
    const { type, page, under, header } = block;
    return {
      type,
      start,
      end: text.length,
      ...(page === undefined ? {} : { page }),
      ...(under === undefined ? {} : { under }),
      ...(header === undefined ? {} : { header }),
    };
  });
  return { text, blocks: places };
}

/** Cuts a block that is longer than a part may be, where a sentence or a word ends. */
function pieces(block: Block, chars_max: number): readonly Block[] {
  const all: Block[] = [];
  let rest = block.text;
  while (rest.length > chars_max) {
    const head = rest.slice(0, chars_max);
    const at = [head.lastIndexOf('. ') + 1, head.lastIndexOf('\n'), head.lastIndexOf(' ')].find((end) => end > chars_max / 2);
    const cut = at ?? chars_max - (/[\ud800-\udbff]$/.test(head) ? 1 : 0);
    all.push({ ...block, text: rest.slice(0, cut) });
    rest = rest.slice(cut).trimStart();
  }
  return rest === '' ? all : [...all, { ...block, text: rest }];
}
