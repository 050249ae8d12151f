/** Research missions in a home whose configuration names the scripted provider. */
import type { MissionRecord } from '../../../src/codec/api-missions.js';
import type { Home } from '../../../src/app/home/home.js';
import { apply, queued } from '../app/given-home.js';
import type { TemporaryHome } from '../app/temporary-home.js';

export const tides = {
  goal: 'When is high water, and why does it move?',
  work: {
    kind: 'research',
    sources: [
      {
        id: 's1',
        title: 'Tide tables',
        text: 'High water is at six.\nTides follow the moon — they come 50 minutes later each day.',
      },
      {
        id: 's2',
        title: 'Harbour rules',
        text: 'Boats leave at high water. Nobody swims in the harbour.',
        url: 'https://harbour.example/',
      },
    ],
  },
};

export interface Proposed {
  readonly claim: string;
  readonly source_id: string;
  readonly quote: string;
}

export const good: readonly Proposed[] = [
  { claim: 'It is at six.', source_id: 's1', quote: 'High water is at six.' },
  { claim: 'The moon moves it.', source_id: 's1', quote: 'they come 50 minutes later each day' },
  { claim: 'Boats use it.', source_id: 's2', quote: 'Boats leave at high water.' },
];

/** Opens a home as a process whose environment has these variables besides. */
export const openWith = (homes: TemporaryHome, env: Readonly<Record<string, string>> = {}): Home => {
  Object.assign(homes.world.env, env);
  return homes.open();
};

/** Names the provider in the configuration, and queues a research mission. */
export async function queuedFor(home: Home, url: string, config: object = {}, mission: unknown = tides): Promise<MissionRecord> {
  await apply(home, { llm_url: url, llm_model: 'small', ...config });
  return queued(home, mission);
}
