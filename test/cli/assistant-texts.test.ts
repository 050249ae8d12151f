/** What an assistant wrote, wherever people read it: marked as its text, and unable to act on a terminal, a page or a document. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportText } from '../../src/app/exports/export.js';
import { renderMission } from '../../src/app/exports/report.js';
import { verifyExport } from '../../src/app/exports/verify-export.js';
import { homeVia } from '../../src/app/home/via.js';
import { listPage, showMission } from '../../src/app/missions/missions.js';
import { submitMission } from '../../src/app/missions/submit.js';
import { entryPart } from '../../src/app/operator/entries.js';
import { unwrap } from '../../src/base/refusal.js';
import { exportLines } from '../../src/cli/export-lines.js';
import { missionLines } from '../../src/cli/render.js';
import { missionTable } from '../../src/cli/table.js';
import { decode } from '../../src/codec/kit.js';
import { missionRequest } from '../../src/kinds/request.js';
import { execute, research, review } from '../support/app/given-home.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';

/** Escapes of a terminal, a link of one, a change of direction, an invisible letter, and links and elements of pages and documents. */
const acts = '\u001b[2J\u001b]8;;https://evil.example\u0007tides\u001b]8;;\u0007 \u202Edetcejer\u202C \u200Btides';
const links = 'tides [approve](javascript:alert(1)) <a href="https://evil.example">tides</a> <img src=x onerror=alert(1)>';
const goal = `${acts} ${links}`;

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/u;

describe('texts of an assistant', () => {
  let given: TemporaryHome;
  beforeEach(() => {
    given = temporaryHome();
  });
  afterEach(() => given.remove());

  const submitted = async (name: string, via: 'token' | 'mcp', isAssistant: boolean): Promise<string> =>
    given.with(async (home) => {
      const { work } = research(goal, `Tides ${links}`) as { work: { sources: { title: string }[] } };
      const request = unwrap(
        decode(missionRequest, {
          goal,
          work: { ...work, sources: work.sources.map((one) => ({ ...one, title: goal.slice(0, 300) })) },
        }),
      );
      return (await submitMission(homeVia(home, via), request, undefined, name, { isAssistant })).record.id;
    });

  for (const [why, via, isAssistant] of [
    ['by its role', 'token', true],
    ['by its channel', 'mcp', false],
  ] as const)
    it(`are marked ${why} in lists, records, the journal and reports, and act nowhere`, async () => {
      const id = await submitted('claude', via, isAssistant);
      await given.with(async (home) => {
        const mark = /from the assistant claude/;
        const drafted = await execute(home, id);
        const report = async (format: 'html' | 'md'): Promise<string> =>
          Buffer.from((await renderMission(home, id, format)).bytes).toString();
        const reports = (): Promise<string[]> => Promise.all([report('html'), report('md')]);
        const shown = [
          missionLines(showMission(home, id)).join('\n'),
          missionTable(listPage(home, {}).items, true).join('\n'),
          ...(await reports()),
        ];
        const listed = missionTable(listPage(home, {}).items).join('\n');
        assert.match(listed, /\(assistant\) <U\+001B>/);
        assert.doesNotMatch(listed, acting);
        assert.equal((await review(home, drafted)).assistant, 'claude');
        const readable = (await reports()).map((text) => text.replace(/<script type="application\/json"[^]*?<\/script>/, ''));
        for (const text of [...shown, ...readable]) {
          assert.match(text, mark);
          assert.doesNotMatch(text.replace(/\u001b\[[0-9;]*m/g, ''), acting, text);
        }
        const [page = '', markdown = ''] = readable;
        assert.doesNotMatch(page, /<a |<img /);
        assert.doesNotMatch(markdown, /(?<!\\)(?:\]\(|<)/);
        const summary = entryPart(home).items.find(({ type }) => type === 'mission.submitted')?.summary ?? '';
        assert.ok(summary.startsWith('(from the assistant claude) '), summary);
        const { text } = exportText(home, id);
        const file = join(given.root, 'export.json');
        writeFileSync(file, text);
        const verdict = await verifyExport({ file, publicKey: given.report.public_key });
        const lines = exportLines(verdict, {}).join('\n');
        assert.match(lines, mark);
        assert.doesNotMatch(lines, acting);
        assert.deepEqual([verdict.valid, JSON.parse(text).receipt.body.document.assistant], [true, 'claude']);
      });
    });

  it('are not what a person wrote, whose records and exports say nothing of it', async () => {
    const id = await submitted('alice', 'token', false);
    await given.with(async (home) => {
      await review(home, await execute(home, id));
      const texts = [JSON.stringify(showMission(home, id)), JSON.stringify(listPage(home, {})), exportText(home, id).text];
      for (const text of texts) assert.doesNotMatch(text, /assistant/);
    });
  });
});
