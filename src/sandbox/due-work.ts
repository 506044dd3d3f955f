/** One kind of work that falls due by the business clock. The sandbox clock stops for it (program.md 8). */
export interface DueWork {
  readonly name: string;
  /** Returns when the earliest item is due; null: none is waiting. */
  nextDueAt(): Promise<Temporal.Instant | null>;
  /** Does what is due now. Work that another process or loop has in progress may stay due; it is checked again. */
  run(): Promise<void>;
  /** Treats the work after `to` as not done: the clock is set back to `to`, before the first write. Absent: nothing is recorded. */
  rewind?(to: Temporal.Instant): Promise<void>;
}
