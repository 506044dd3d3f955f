/** Work of a kind that falls due by the business clock: what the sandbox clock steps through (program.md 8). */
export interface DueWork {
  readonly name: string;
  /** When the earliest piece of it is due; null: none waits. */
  nextDueAt(): Promise<Temporal.Instant | null>;
  /** Does what is due by now. Work that another process or loop has in progress may stay due; it is asked for again. */
  run(): Promise<void>;
  /** Forgets that it was done after a time: the clock is set back to it, before the first write. Absent: nothing to forget. */
  rewind?(to: Temporal.Instant): Promise<void>;
}
