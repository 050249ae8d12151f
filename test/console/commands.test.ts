/** Commands to copy, and days as moments in UTC. */
import assert from 'node:assert/strict';
import { agentCli, withHome } from '../../src/console/kit/controls/agent-cli.js';
import { dayBegins } from '../../src/console/kit/address.js';

describe('console: commands to copy', () => {
  for (const [line, expected] of [
    [agentCli('list', '--limit', 25), "agent-cli list --limit 25 --home '/a b'"],
    [agentCli('review', 'x', '--note', "it's --home made"), "agent-cli review x --note 'it'\\''s --home made' --home '/a b'"],
    ['agent-cli review x --help', 'agent-cli review x --help'],
    ['agent-cli list --home /c', 'agent-cli list --home /c'],
    ['set AGENT_WITNESS to a directory', 'set AGENT_WITNESS to a directory'],
    ['agent-cli pause, then agent-cli verify', 'agent-cli pause, then agent-cli verify'],
  ] as const)
    it(`name the home: ${line}`, () => assert.equal(withHome(line, '/a b'), expected));
});

describe('console: days', () => {
  it('begin at the local midnight, and end where the next one begins', () => {
    assert.equal(dayBegins('2026-11-20'), new Date(2026, 10, 20).toISOString());
    assert.equal(dayBegins('2026-12-31', 1), new Date(2027, 0, 1).toISOString());
    assert.deepEqual([dayBegins(null), dayBegins('yesterday')], [null, null]);
  });
});
