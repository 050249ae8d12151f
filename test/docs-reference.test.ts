/** The generated pages of docs/reference are those that the present program gives. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { declaredEventTypes } from './support/event-types.js';
import { packageRoot } from './support/package-root.js';

const root = packageRoot(import.meta.url);
const page = (name: string): string => readFileSync(join(root, 'docs', 'reference', name), 'utf8');

describe('the reference', () => {
  it('is current (node scripts/reference.mjs writes it)', () => {
    const script = join(root, 'scripts', 'reference.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    assert.deepEqual([stdout, stderr, status], ['', '', 0]);
  });

  it('has every command and every event type', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'dist', 'oclif.manifest.json'), 'utf8')) as {
      commands: Record<string, { readonly hidden?: boolean }>;
    };
    const commands = Object.entries(manifest.commands)
      .filter(([, { hidden }]) => hidden !== true)
      .map(([id]) => `## ${id.replaceAll(':', ' ')}`);
    assert.ok(commands.length > 50);
    const headings = (text: string): Set<string> => new Set(text.split('\n').filter((line) => line.startsWith('##')));
    const [written, events] = [headings(page('commands.md')), headings(page('events.md'))];
    assert.deepEqual(
      commands.filter((each) => !written.has(each)),
      [],
    );
    const types = declaredEventTypes();
    assert.ok(types.length > 30);
    assert.deepEqual(
      types.filter((type) => !events.has(`### ${type}`)),
      [],
    );
  });
});
