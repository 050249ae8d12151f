/** New tokens are shown before they are valid, and a failure says whether the shown one is. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Home } from '../../src/app/home/home.js';
import { createToken, rotateToken } from '../../src/app/tokens/change.js';
import { recordedTokens } from '../../src/rows/tools.js';
import { Fault, UnknownOutcome } from '../../src/base/fault.js';
import { sha256Hex } from '../../src/base/hash.js';
import { RefusalError } from '../../src/base/result.js';
import { actor } from '../support/given-home.js';
import { working } from '../support/given-tokens.js';
import { homeForEach } from '../support/temporary-home.js';

const homes = homeForEach();
const hashOf = (home: Home, name: string): string | null | undefined => recordedTokens(home.db).byId.get(name)?.token_sha256;

describe('new tokens', () => {
  it('are shown before they are valid', async () => {
    const temporary = homes.get();
    await working(temporary, async (home) => {
      for (const issue of [createToken.bind(null, home, 'ci', 'viewer', actor), rotateToken.bind(null, home, 'ci', actor)]) {
        const other = temporary.open();
        const before = hashOf(other, 'ci');
        const shown: string[] = [];
        const { token } = await issue((issued) => {
          shown.push(issued.token);
          assert.deepEqual([issued.name, issued.role, hashOf(other, 'ci')], ['ci', 'viewer', before]);
        });
        assert.deepEqual([shown, hashOf(other, 'ci')], [[token], sha256Hex(token)]);
        other.close();
      }
    });
  });

  it('are not made when they could not be shown', async () => {
    await working(homes.get(), async (home) => {
      const file = readFileSync(home.paths.apiToken);
      const before = home.writer.head;
      const show = (): never => {
        throw new Error('EPIPE: broken pipe');
      };
      const message = 'the token could not be printed and is not valid';
      await assert.rejects(createToken(home, 'ci', 'viewer', actor, show), { name: 'Fault', message });
      await assert.rejects(rotateToken(home, 'api', actor, show), { name: 'Fault', message });
      assert.deepEqual([home.writer.head, readFileSync(home.paths.apiToken)], [before, file]);
    });
  });

  for (const [what, error, said] of [
    [
      'a refusal',
      new RefusalError({ code: 'storage_full', detail: 'no space' }),
      /^storage_full: no space; the printed token is not valid$/,
    ],
    ['a fault', new Fault('it broke'), /^it broke; the printed token is not valid$/],
    ['an error', new Error('disk I/O error'), /^the printed token is not valid$/],
    [
      'a commit of unknown outcome',
      new UnknownOutcome('the commit failed'),
      /^it is not known whether the printed token is valid$/,
    ],
  ] as const) {
    it(`are reported as valid or not after ${what}`, async () => {
      await working(homes.get(), async (home) => {
        const failing: Home = {
          ...home,
          transact: (command) =>
            home.transact((tx) => {
              command(tx);
              throw error;
            }),
        };
        await assert.rejects(
          createToken(failing, 'ci', 'viewer', actor, () => undefined),
          { message: said },
        );
        const message = /^api\.token holds the printed token, which is valid, but the journal may have no entry of the change$/;
        let shown = '';
        await assert.rejects(
          rotateToken(failing, 'api', actor, ({ token }) => void (shown = token)),
          { message },
        );
        assert.equal(readFileSync(home.paths.apiToken, 'latin1'), shown);
      });
    });
  }
});
