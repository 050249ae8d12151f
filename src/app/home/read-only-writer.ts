/** The writer of a home that is opened for reading only: it knows the position of the journal and refuses to append. */
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { JournalWriter } from '../../journal/writer.js';

export class ReadOnlyWriter extends JournalWriter {
  private readonly refusal: Refusal;

  constructor(...args: [...ConstructorParameters<typeof JournalWriter>, Refusal]) {
    const [db, signer, all, clock, loaded, refusal] = args;
    super(db, signer, all, clock, loaded);
    this.refusal = refusal;
  }

  override begin(): never {
    throw new RefusalError(this.refusal);
  }

  override transact(): never {
    return this.begin();
  }
}
