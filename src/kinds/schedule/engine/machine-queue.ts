/** A queue of machines, each in it at most once. */
export class MachineQueue {
  size = 0;
  private first = 0;
  private readonly ring: Int32Array;
  private readonly isIn: Uint8Array;

  constructor(machines: number) {
    this.ring = new Int32Array(machines);
    this.isIn = new Uint8Array(machines);
  }

  add(m: number): void {
    if (this.isIn[m] === 1) return;
    this.isIn[m] = 1;
    this.ring[(this.first + this.size++) % this.ring.length] = m;
  }

  /** Takes the machine that has waited longest, −1 for an empty queue. */
  take(): number {
    if (this.size === 0) return -1;
    const m = this.ring[this.first] ?? -1;
    this.first = (this.first + 1) % this.ring.length;
    this.size--;
    this.isIn[m] = 0;
    return m;
  }

  clear(): void {
    this.size = 0;
    this.isIn.fill(0);
  }
}
