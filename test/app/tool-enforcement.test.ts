/** A stopped tool is stopped everywhere: every use of it is refused, and works again once somebody says why. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliver } from '../../src/app/ascension/deliver.js';
import { compilePlanFile } from '../../src/app/ascension/plan-file.js';
import { backupHome } from '../../src/app/backup/backup.js';
import { pause } from '../../src/app/control/control.js';
import { exportMission, exportText } from '../../src/app/exports/export.js';
import type { Home } from '../../src/app/home/home.js';
import { cancelInvoice } from '../../src/app/invoices/issue.js';
import { settle } from '../../src/app/invoices/settle.js';
import { addWitness, checkpoint, cosignedCheckpoint } from '../../src/app/log/checkpoint.js';
import { publish } from '../../src/app/log/publish.js';
import { showMission } from '../../src/app/missions/missions.js';
import { importTool, setToolStatus, shippedManifest } from '../../src/app/tools/tools.js';
import { signedTransferRun } from '../../src/app/transfer/run.js';
import { bindWallet, issueChallenge, requireChain } from '../../src/app/wallet/bind.js';
import type { Refusal } from '../../src/base/refusal.js';
import { type OwnToolId, ownToolIds, toolOfKind } from '../../src/domain/tool-catalog.js';
import { configureChain, silentChain } from '../support/chain/given-chain-home.js';
import { event } from '../support/codec/given-events.js';
import {
  actor,
  completed,
  execute,
  fakeEngine,
  forecast,
  laterRefusalOf,
  produced,
  queued,
  rejectsRefusal,
  research,
  review,
  schedule,
} from '../support/app/given-home.js';
import { approved } from '../support/app/given-invoices.js';
import { good, queuedFor } from '../support/provider/given-provider.js';
import { givenManifest, manifestFile, setStatus } from '../support/app/given-tools.js';
import { answers, startProvider } from '../support/provider/provider-server.js';
import { homeForEach, uuidOf } from '../support/app/temporary-home.js';
import { owner } from '../support/chain/wallet.js';
import { witnessServer, type WitnessServer } from '../support/witness/witness-server.js';
import { assertNone, keptForEach } from '../support/lists.js';

const uses_max = 5;

const homes = homeForEach();
const allocation = { goal: 'choose', work: { kind: 'allocation', budget: 5, items: [{ id: 'a', cost: 3, value: 4 }] } };

interface Use {
  readonly tool: OwnToolId;
  /** Prepares while the tool is active; returns the use. */
  readonly prepare: (home: Home) => Promise<() => unknown>;
  /** What a refused use must have left as it was. */
  readonly untouched?: (home: Home) => void;
}

const mission = (kind: 'research' | 'allocation' | 'schedule' | 'forecast', file: unknown): Use => {
  let id = '';
  return {
    tool: toolOfKind(kind),
    prepare: async (home) => {
      ({ id } = await queued(home, file));
      return () => execute(home, id, { runEngine: fakeEngine() });
    },
    untouched: (home) => assert.equal(showMission(home, id).state, 'queued'),
  };
};

/** Every capability that asks for its tool, by the function that commands call. */
const uses: Readonly<Record<string, Use>> = {
  'executing research': mission('research', research()),
  'executing allocation': mission('allocation', allocation),
  'executing a schedule': mission('schedule', schedule()),
  'executing a forecast': mission('forecast', forecast()),
  'writing an export': {
    tool: 'export',
    prepare: async (home) => {
      const { id } = await completed(home, forecast());
      return () => exportMission(home, id, join(homes.get().root, 'out.json'));
    },
    untouched: () => assert.equal(existsSync(join(homes.get().root, 'out.json')), false),
  },
  'an export as text': {
    tool: 'export',
    prepare: async (home) => {
      const { id } = await completed(home, forecast());
      return () => exportText(home, id);
    },
  },
  'a backup': {
    tool: 'backup',
    prepare: async (home) => {
      let n = 0;
      return () => backupHome(home, join(homes.get().root, `backup-${n++}.zip`));
    },
    untouched: () => assert.equal(existsSync(join(homes.get().root, 'backup-0.zip')), false),
  },
  'signing the note of a transfer run': {
    tool: 'transfer_note',
    prepare: async (home) => {
      const [scenario, seed, spec] = ['seasonal', undefined, undefined];
      let n = 0;
      return () => signedTransferRun(home, { scenario, seed, spec, output: join(homes.get().root, `run-${n++}.json`) });
    },
    untouched: () => assert.equal(existsSync(join(homes.get().root, 'run-0.json')), false),
  },
  'delivering a job': {
    tool: 'ascension_deliver',
    prepare: async (home) => {
      const { id, goal } = await completed(home, forecast());
      const [jobs, plan] = ['jobs.json', 'plan.json'].map((name) => join(homes.get().root, name));
      const job = { goal, successMetric: 'it is forecast', bounty: '100', duration: 60, priceWeight: 0 };
      writeFileSync(jobs ?? '', JSON.stringify([job]));
      compilePlanFile(jobs ?? '', plan ?? '');
      let n = 0;
      const output = (): string => join(homes.get().root, `delivery-${n++}.json`);
      return () => deliver(home, { plan: plan ?? '', jobs: [0], mission: id, output: output() });
    },
    untouched: () => assert.equal(existsSync(join(homes.get().root, 'delivery-0.json')), false),
  },
  publishing: {
    tool: 'publish',
    prepare: async (home) => () => publish(home, { directory: join(homes.get().root, 'public') }),
    untouched: () => assert.equal(existsSync(join(homes.get().root, 'public')), false),
  },
  'a cosigned checkpoint': {
    tool: 'witness_submit',
    prepare: async (home) => {
      await withWitness(home);
      return () => cosignedCheckpoint(home, undefined);
    },
  },
  'approving a result': {
    tool: 'mission_forecast',
    prepare: async (home) => {
      const made = await produced(home, forecast());
      return () => review(home, made, { runEngine: fakeEngine() });
    },
  },
  'asking a model': {
    tool: 'provider_call',
    prepare: async (home) => {
      const provider = kept(await startProvider({ chat: answers({ findings: good }) }));
      const { id } = await queuedFor(home, provider.url);
      return () => execute(home, id);
    },
  },
  'a challenge for a wallet': {
    tool: 'wallet_bind',
    prepare: async (home) => () => issueChallenge(home, undefined, actor),
  },
  'binding a wallet': {
    tool: 'wallet_bind',
    prepare: async (home) => {
      const { message } = await issueChallenge(home, owner.address, actor);
      const signature = await owner.signMessage(message);
      return () => bindWallet(home, { signature, actor });
    },
  },
  'cancelling an invoice': {
    tool: 'invoice',
    prepare: async (home) => {
      const id = await approved(home);
      const issued = event('invoice.issued', { mission: id });
      // Each use cancels another one.
      for (let n = 1; n <= uses_max; n++) home.writer.transact((tx) => tx.append(`@invoice:${uuidOf(n)}`, issued));
      let n = 0;
      return async () => {
        const cancelled = await cancelInvoice(home, uuidOf(n + 1), actor);
        n++;
        return cancelled;
      };
    },
  },
  'settling an invoice': {
    tool: 'settle',
    prepare: async (home) => {
      const id = await approved(home);
      return () => settle(home, id, { transaction: `0x${'ab'.repeat(32)}`, log_index: 0, actor });
    },
  },
  'a reading of the chain': {
    tool: 'chain_read',
    prepare: async (home) => {
      await configureChain(home, silentChain);
      return () => requireChain(home);
    },
  },
  'importing a tool': {
    tool: 'tool_import',
    prepare: async (home) => () => importTool(home, manifestFile(homes.get().root, givenManifest()), 'operator'),
  },
};

const kept = keptForEach<Pick<WitnessServer, 'close'>>((server) => server.close());
async function withWitness(home: Home): Promise<void> {
  const server = kept(await witnessServer([checkpoint(home, undefined).vkey]));
  await addWitness(home, { url: server.url, vkey: server.vkey, actor: 'me' });
}

const outcome = (use: () => unknown): Promise<Refusal | null> => laterRefusalOf(async () => use());

const disabled = (tool: string, status: string): unknown => ({
  code: 'tool_disabled',
  detail: `tool ${tool} is ${status} (tried)`,
  facts: { tool, status },
  hint: `agent-cli tool status ${tool} --set active --note "YOUR REASON"`,
});

it('tries a use of every active tool of ours', () => {
  const active = ownToolIds.filter((id) => shippedManifest(id).status === 'active');
  // test/app/code-missions.test.ts tries those whose use needs a container.
  const tried = new Set<OwnToolId>(['mission_code', 'container_run', ...Object.values(uses).map(({ tool }) => tool)]);
  assertNone(active, (id) => !tried.has(id));
});

describe('a stopped tool', () => {
  // Each use meets one of the two: all ask the same function.
  for (const [i, [title, { tool, prepare, untouched }]] of Object.entries(uses).entries()) {
    const status = i % 2 === 0 ? 'disabled' : 'quarantined';
    homes.it(`refuses ${title} while ${status}, until it is active again`, async (home) => {
      const use = await prepare(home);
      await setStatus(home, tool, status);
      const { size } = home.writer.head;
      assert.deepEqual(await outcome(use), disabled(tool, status));
      assert.equal(home.writer.head.size, size, 'nothing was recorded');
      untouched?.(home);
      for (const note of [' ', 'YOUR REASON', ' YOUR REASON\n'])
        await rejectsRefusal(setToolStatus(home, tool, { to: 'active', note, actor: 'operator' }), 'invalid');
      assert.deepEqual(await outcome(use), disabled(tool, status));
      await setStatus(home, tool, 'active', 'checked');
      assert.equal(await outcome(use), null);
    });
  }

  it('is stopped for other processes at once', async () => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    await setStatus(other, 'tool_import', 'quarantined');
    const file = manifestFile(homes.get().root, givenManifest());
    await rejectsRefusal(importTool(home, file, 'operator'), 'tool_disabled');
    home.close();
    other.close();
  });

  homes.it('leaves the other kinds of mission alone', async (home) => {
    await setStatus(home, 'mission_forecast', 'quarantined');
    assert.equal((await execute(home, (await queued(home, schedule())).id, { runEngine: fakeEngine() })).state, 'review');
  });

  homes.it('reports the state of the mission rather than of the tool, where both refuse', async (home) => {
    const { id } = await execute(home, (await queued(home)).id, { runEngine: fakeEngine() });
    await setStatus(home, 'mission_forecast', 'quarantined');
    await rejectsRefusal(execute(home, id), 'wrong_state');
    await pause(home, 'operator');
    await rejectsRefusal(execute(home, (await queued(home)).id), 'paused');
  });
});

describe('a deprecated tool', () => {
  homes.it('warns whoever executes, and is named in the report of an export', async (home) => {
    const { id } = await completed(home, forecast());
    await setStatus(home, 'export', 'deprecated', 'soon gone');
    await setStatus(home, 'mission_forecast', 'deprecated');
    const report = exportMission(home, id, join(homes.get().root, 'out.json'));
    assert.deepEqual(report.warnings, ['tool export is deprecated (soon gone)']);
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    await execute(home, (await queued(home)).id, { runEngine: fakeEngine(), onWarning });
    assert.deepEqual(warnings, ['tool mission_forecast is deprecated (tried)']);
  });
});
