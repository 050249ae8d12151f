/** Keeps the witness file up to the newest checkpoint: soon after an entry, and together for those that come close after each other. */
import type { Home } from '../home/home.js';

const witness_ms = 1_000;

export class WitnessKeeper {
  private due: NodeJS.Timeout | null = null;
  private warned = '';

  constructor(
    private readonly home: Pick<Home, 'updateWitness'>,
    private readonly onWarning: (message: string) => void,
  ) {}

  /** An entry was recorded. */
  note(): void {
    this.due ??= setTimeout(() => {
      this.due = null;
      this.write();
    }, witness_ms);
  }

  stop(): void {
    if (this.due !== null) clearTimeout(this.due);
    this.due = null;
    this.write();
  }

  private write(): void {
    const fault = this.fault();
    if (fault !== '' && fault !== this.warned) this.onWarning(`the witness file cannot be written (${fault})`);
    this.warned = fault;
  }

  /** Why the witness is not up to date, or an empty text. A journal that cannot be read any more is one of the reasons. */
  private fault(): string {
    try {
      return this.home.updateWitness() ?? '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
