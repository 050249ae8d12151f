/** A stopped tool is stopped everywhere: every use of it is refused, and works again once somebody says why. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliver } from '../../src/app/ascension/deliver.js';
import { compilePlanFile } from '../../src/app/ascension/plan-file.js';
import { backupHome } from '../../src/app/backup/backup.js';
import { pause } from '../../src/app/control.js';
import { exportMission, exportText } from '../../src/app/export.js';
import type { Home } from '../../src/app/home.js';
import { showMission } from '../../src/app/missions.js';
import { importTool, setToolStatus } from '../../src/app/tools/change.js';
import { signedTransferRun } from '../../src/app/transfer/run.js';
import type { Refusal } from '../../src/base/refusal.js';
import { isRefused, ok, RefusalError, unwrap, type Result } from '../../src/base/result.js';
import { toolOfKind, type OwnToolId } from '../../src/domain/tool-catalog.js';
import { completed, execute, fakeEngine, forecast, queued, refused, research, schedule } from '../support/given-home.js';
import { setStatus } from '../support/given-tool-home.js';
import { givenManifest, manifestFile } from '../support/given-tools.js';
import { homeForEach } from '../support/temporary-home.js';

const homes = homeForEach();
const allocation = { goal: 'choose', work: { kind: 'allocation', budget: 5, items: [{ id: 'a', cost: 3, value: 4 }] } };

interface Use {
  readonly tool: OwnToolId;
  /** Makes ready while the tool is active; answers the use. */
  readonly prepare: (home: Home) => Promise<() => Promise<Result<unknown>> | Result<unknown>>;
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
      return () => ok(signedTransferRun(home, { scenario, seed, spec, output: join(homes.get().root, `run-${n++}.json`) }));
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
      unwrap(compilePlanFile(jobs ?? '', plan ?? ''));
      let n = 0;
      const output = (): string => join(homes.get().root, `delivery-${n++}.json`);
      return () => deliver(home, { plan: plan ?? '', jobs: [0], mission: id, output: output() });
    },
    untouched: () => assert.equal(existsSync(join(homes.get().root, 'delivery-0.json')), false),
  },
  'importing a tool': {
    tool: 'tool_import',
    prepare: async (home) => () => importTool(home, manifestFile(homes.get().root, givenManifest()), 'operator'),
  },
};

async function outcome(use: () => Promise<Result<unknown>> | Result<unknown>): Promise<Refusal | null> {
  try {
    const result = await use();
    return isRefused(result) ? result.left : null;
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal;
    throw error;
  }
}

const disabled = (tool: string, status: string): unknown => ({
  code: 'tool_disabled',
  detail: `tool ${tool} is ${status} (tried)`,
  facts: { tool, status },
  hint: `agent-cli tool status ${tool} --set active --note "YOUR REASON"`,
});

describe('a stopped tool', () => {
  for (const [title, { tool, prepare, untouched }] of Object.entries(uses)) {
    for (const status of ['disabled', 'quarantined'] as const) {
      it(`${status}: ${title} is refused, until it is active again`, async () => {
        const home = homes.get().open();
        const use = await prepare(home);
        await setStatus(home, tool, status);
        const { size } = home.writer.head;
        assert.deepEqual(await outcome(use), disabled(tool, status));
        assert.equal(home.writer.head.size, size, 'nothing was recorded');
        untouched?.(home);
        refused(await setToolStatus(home, tool, { to: 'active', note: ' ', actor: 'operator' }), 'invalid');
        assert.deepEqual(await outcome(use), disabled(tool, status));
        await setStatus(home, tool, 'active', 'checked');
        assert.equal(await outcome(use), null);
        home.close();
      });
    }

    it(`deprecated: ${title} works`, async () => {
      const home = homes.get().open();
      const use = await prepare(home);
      await setStatus(home, tool, 'deprecated');
      assert.equal(await outcome(use), null);
      home.close();
    });
  }

  it('is stopped for other processes at once', async () => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    await setStatus(other, 'tool_import', 'quarantined');
    const file = manifestFile(homes.get().root, givenManifest());
    refused(await importTool(home, file, 'operator'), 'tool_disabled');
    home.close();
    other.close();
  });

  it('of one kind leaves the other kinds alone', async () => {
    const home = homes.get().open();
    await setStatus(home, 'mission_forecast', 'quarantined');
    assert.equal(unwrap(await execute(home, (await queued(home, schedule())).id, { runEngine: fakeEngine() })).state, 'review');
    home.close();
  });

  it('says what the mission is rather than what the tool is, where both refuse', async () => {
    const home = homes.get().open();
    const { id } = unwrap(await execute(home, (await queued(home)).id, { runEngine: fakeEngine() }));
    await setStatus(home, 'mission_forecast', 'quarantined');
    refused(await execute(home, id), 'wrong_state');
    unwrap(await pause(home, 'operator'));
    refused(await execute(home, (await queued(home)).id), 'paused');
    home.close();
  });
});

describe('a deprecated tool', () => {
  it('warns whoever executes, and in the report of an export', async () => {
    const home = homes.get().open();
    const { id } = await completed(home, forecast());
    await setStatus(home, 'export', 'deprecated', 'soon gone');
    await setStatus(home, 'mission_forecast', 'deprecated');
    const report = unwrap(exportMission(home, id, join(homes.get().root, 'out.json')));
    assert.deepEqual(report.warnings, ['tool export is deprecated (soon gone)']);
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    unwrap(await execute(home, (await queued(home)).id, { runEngine: fakeEngine(), onWarning }));
    assert.deepEqual(warnings, ['tool mission_forecast is deprecated (tried)']);
    home.close();
  });
});

describe('a tool that is stopped during the work', () => {
  const stopAt = async (stage: string): Promise<void> => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    const { id } = await queued(home);
    const stopping: Promise<unknown>[] = [];
    const onProgress = (role: string): void => {
      if (role === stage) stopping.push(setStatus(other, 'mission_forecast', 'quarantined'));
    };
    const refusal = refused(await execute(home, id, { runEngine: fakeEngine(), onProgress }), 'tool_disabled');
    await Promise.all(stopping);
    assert.equal(refusal.detail, `mission ${id} failed: tool mission_forecast is quarantined (tried)`);
    assert.equal(refusal.hint, `agent-cli recover ${id}`);
    const { state, error, result, stages } = showMission(home, id);
    assert.deepEqual([state, error?.code, result], ['failed', 'tool_disabled', null], stage);
    assert.equal(stages.at(-1)?.role, stage, 'no stage came after it');
    home.close();
    other.close();
  };

  it('fails the mission at the next checkpoint', () => stopAt('planning'));
  it('fails the mission at the outcome', () => stopAt('memory'));

  it('with the longest note, fails the mission all the same', async () => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    const { id } = await queued(home);
    const stopping: Promise<unknown>[] = [];
    const onProgress = (role: string): void => {
      if (role === 'memory') stopping.push(setStatus(other, 'mission_forecast', 'disabled', 'x'.repeat(2_000)));
    };
    const refusal = refused(await execute(home, id, { runEngine: fakeEngine(), onProgress }), 'tool_disabled');
    await Promise.all(stopping);
    assert.equal(refusal.detail, `mission ${id} failed: tool mission_forecast is disabled (${'x'.repeat(300)}…)`);
    home.close();
    other.close();
  });

  it('and is active again by the outcome, stops nothing', async () => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    const engine = fakeEngine();
    const run: typeof engine = async (task, hooks) => {
      await setStatus(other, 'mission_forecast', 'quarantined');
      await setStatus(other, 'mission_forecast', 'active');
      return engine(task, hooks);
    };
    assert.equal(unwrap(await execute(home, (await queued(home)).id, { runEngine: run })).state, 'review');
    home.close();
    other.close();
  });
});
