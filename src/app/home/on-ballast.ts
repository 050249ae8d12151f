/** Records on a full disk with the space that the ballast reserves. */
import { RefusalError } from '../../base/result.js';
import { spendBallast } from '../../home/ballast.js';
import type { Home } from './home.js';

export const isFullDisk = (error: unknown): error is RefusalError =>
  error instanceof RefusalError && error.refusal.code === 'storage_full';

/** Records an end of work. On a full disk it uses half of the ballast, once until that is filled again: the other half is for a pause. */
export async function onBallast<A>({ paths }: Pick<Home, 'paths'>, record: () => Promise<A>): Promise<A> {
  try {
    return await record();
  } catch (error) {
    if (!isFullDisk(error) || !spendBallast(paths.ballast)) throw error;
    return await record();
  }
}
