/** Tools in a temporary home. */
import { setToolStatus } from '../../../src/app/tools/manifests.js';
import type { Home } from '../../../src/app/home/home.js';
import type { ToolStatus } from '../../../src/codec/tool-manifest.js';
import type { ToolRecord } from '../../../src/codec/api-tools.js';

export const setStatus = async (home: Home, id: string, to: ToolStatus, note = 'tried'): Promise<ToolRecord> =>
  await setToolStatus(home, id, { to, note, actor: 'operator' });
