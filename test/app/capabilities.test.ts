/** What doctor and the status name as that which executes a mission. */
import assert from 'node:assert/strict';
import type { Home } from '../../src/app/home/home.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { statusReader } from '../../src/app/operator/status.js';
import type { Capability } from '../../src/codec/api-status.js';
import { daemonsForEach } from '../support/given-daemon.js';
import { apply } from '../support/given-home.js';
import { openWith } from '../support/given-provider.js';
import { homeForEach } from '../support/temporary-home.js';

const llm = { llm_url: 'http://127.0.0.1:9/v1', llm_model: 'small' };

describe('capabilities', () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();

  /** Returns the capability of research missions, of which doctor and the status say the same. */
  async function researchIn(home: Home): Promise<Capability | undefined> {
    const { capabilities } = inspectHome(home);
    const daemon = await daemons.start(homes.get());
    assert.deepEqual(statusReader(daemon)({ name: 'me', role: 'admin' }).capabilities, capabilities);
    await daemon.stop();
    return capabilities.find(({ kind }) => kind === 'research');
  }

  it('name the built-in research engine without a provider, and the model with one', async () => {
    const home = homes.get().open();
    assert.equal((await researchIn(home))?.detail.startsWith('research '), true);
    await apply(home, llm);
    assert.deepEqual(await researchIn(home), {
      kind: 'research',
      available: true,
      detail: 'research_model 1.1.0 with the model small',
    });
    home.close();
  });

  it('show research as not available with a key that no request can carry', async () => {
    const home = openWith(homes.get(), { AGENT_LLM_KEY: 'two words' });
    await apply(home, llm);
    const { available, detail } = (await researchIn(home)) ?? {};
    assert.equal(available, false);
    assert.match(detail ?? '', /^the value of AGENT_LLM_KEY cannot be the key/);
    home.close();
  });
});
