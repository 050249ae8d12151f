/** Computes the hash of a run's outcome beside the page, which a million genes would hold up for seconds. */
import { checkResultHash } from '../../kit/hash.js';
import { outcomeOf } from '../pure/results.js';

addEventListener('message', ({ data }: MessageEvent<{ readonly whole: Blob; readonly recorded: string }>) => {
  void data.whole.text().then(
    (text) => postMessage(checkResultHash(outcomeOf(JSON.parse(text)), data.recorded).equal, {}),
    () => postMessage(false, {}),
  );
});
