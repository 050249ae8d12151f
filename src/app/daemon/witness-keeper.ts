/** Updates the witness file to the newest checkpoint soon after an entry, once for entries that follow each other closely. */
import type { Home } from '../home/home.js';

const witness_ms = 1_000;

export class WitnessKeeper {
  private due: NodeJS.Timeout | null = null;
  private warned = '';

  constructor(
    private readonly home: Pick<Home, 'updateWitness'>,
    private readonly onWarning: (message: string) => void,
  ) {}

  /** Schedules an update, because an entry was recorded. */
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

  /** Updates the witness; returns why it is not up to date, or an empty string. An unreadable journal is one of the reasons. */
  private fault(): string {
    try {
      return this.home.updateWitness() ?? '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
