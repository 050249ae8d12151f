/**
 * Python's sum of floats, accumulated step by step: plain additions from left to right before Python 3.12; from 3.12 on with
 * Neumaier's compensation (A. Neumaier, ZAMM 54, 1974), whose correction is added at the end.
 */
export type Summation = 'plain' | 'compensated';

export class PythonSum {
  private high = 0;
  private low = 0;

  constructor(private readonly kind: Summation) {}

  add(x: number): void {
    const sum = this.high + x;
    if (this.kind === 'compensated') this.low += Math.abs(this.high) >= Math.abs(x) ? this.high - sum + x : x - sum + this.high;
    this.high = sum;
  }

  get value(): number {
    return this.low !== 0 && Number.isFinite(this.low) ? this.high + this.low : this.high;
  }
}
