/** Headers of pages, tables and facts whose words are broken between two lines. */
import type { Page } from 'playwright-core';

/** A longer word may be broken. */
const word_chars_max = 16;
/** Keys, fingerprints and addresses are no words, and neither are their parts between + and /. */
const no_words = String.raw`(?=\S{${word_chars_max + 1},})\S*[+/]\S*`;

/** What heads something on a page. */
const headers = 'h1, h2, h3, th, dt, dd .figure-value, legend, label, summary, caption, .chart figcaption, .against-name';

export const brokenHeaders = (page: Page): Promise<string[]> => brokenWords(page, headers);

/** Returns the words of elements that stand on two lines. */
export const brokenWords = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('${selector}')].flatMap((header) => {
    const walker = document.createTreeWalker(header, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement.closest('code, .mono, .sr-only, .save-menu') !== null) continue;
      const text = node.data.replace(/${no_words}/g, (id) => ' '.repeat(id.length));
      for (const { 0: word, index } of text.matchAll(/[\\p{L}\\p{N}_,.]+/gu)) {
        if (word.length > ${word_chars_max}) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(header.tagName + ': ' + header.textContent.trim().slice(0, 60) + ' at ' + word);
      }
    }
    return broken;
  })`);
