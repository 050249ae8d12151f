/** Several processes that publish one journal into one directory, while it grows. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cold, said } from '../support/crash-cli.js';
import { grow, readPublished } from '../support/published.js';
import { homeForEach, submit } from '../support/temporary-home.js';

describe('concurrent publishers', () => {
  const homes = homeForEach();

  it('succeed, and leave the newest checkpoint and no other files', async () => {
    grow(homes.get(), 300);
    const { directory, witness, root } = homes.get();
    const env = { AGENT_HOME: directory, AGENT_WITNESS: witness };
    const out = join(root, 'public');
    const home = homes.get().open();
    const running = Array.from({ length: 4 }, () => cold(['publish', out, '--json'], env));
    const timer = setInterval(() => home.writer.transact(submit(9_000 + home.writer.head.size)), 30);
    const ran = await Promise.all(running);
    clearInterval(timer);
    const sizes = ran.map((one) => Number(said(one).value?.['size']));
    assert.deepEqual(
      ran.map(({ code, stderr }) => [code, stderr]),
      ran.map(() => [0, '']),
    );
    assert.equal(readPublished(out, home.signer.publicKey)?.size, Math.max(...sizes));
    home.close();
    assert.deepEqual(readdirSync(out).toSorted(), ['checkpoint', 'tile']);
  });
});
