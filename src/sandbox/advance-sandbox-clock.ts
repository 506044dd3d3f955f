import type { Log } from "../deps.ts";
import { invalid } from "../problems.ts";
import type { DueWork } from "./due-work.ts";
import type { SandboxClock } from "./open-sandbox-clock.ts";

/** Work that is still due after this long (machine time) is skipped with a warning: it may never end. */
const STUCK_MS = 30_000;
const PAUSE_MS = 10;

interface SandboxDeps {
  readonly clock: SandboxClock;
  readonly dueWork: readonly DueWork[];
  readonly log: Log;
}

/** The earliest time to which the clock can be set. */
const FIRST = Temporal.Instant.from("1970-01-01T00:00:00Z");

/**
 * Moves the sandbox clock forward (program.md 8). It stops at every time on the way at which something is due, earliest first, and continues when
 * that work is done. In a store that has no writes yet, the clock may also be set back, to 1970 at the earliest. Otherwise an earlier time is refused
 * with 422.
 */
export async function advanceSandboxClock(deps: SandboxDeps, to: Temporal.Instant): Promise<void> {
  const { clock } = deps;
  await clock.refresh();
  if (Temporal.Instant.compare(to, clock.now()) < 0) return begin(deps, to);
  const left = new Set<DueWork>();
  for (;;) {
    const next = await earliest(deps, left);
    if (next === null || Temporal.Instant.compare(next, to) > 0) break;
    if (Temporal.Instant.compare(next, clock.now()) > 0) await clock.set(next);
    await runDue(deps, left);
  }
  await clock.set(to);
}

/** Sets the clock back in an empty store, so that an old purchase history can be replayed. */
async function begin({ clock, dueWork }: SandboxDeps, to: Temporal.Instant): Promise<void> {
  if (Temporal.Instant.compare(to, FIRST) < 0) throw invalid("/now", "expected a time from 1970-01-01T00:00:00Z on");
  if (!(await clock.begin(to))) {
    throw invalid(
      "/now",
      `expected a time at or after the clock's, ${clock.now().toString()}: it goes forward only, but for the first setting in a store that has no writes yet`,
    );
  }
  for (const work of dueWork) await work.rewind?.(to);
}

async function earliest(deps: SandboxDeps, left: ReadonlySet<DueWork>): Promise<Temporal.Instant | null> {
  let first: Temporal.Instant | null = null;
  for (const work of deps.dueWork) {
    const at = left.has(work) ? null : await work.nextDueAt();
    if (at !== null && (first === null || Temporal.Instant.compare(at, first) < 0)) first = at;
  }
  return first;
}

async function runDue(deps: SandboxDeps, left: Set<DueWork>): Promise<void> {
  for (const work of deps.dueWork) {
    const startedMs = performance.now();
    while (!left.has(work) && (await isDue(work, deps.clock))) {
      await work.run();
      if (!(await isDue(work, deps.clock))) break;
      if (performance.now() - startedMs > STUCK_MS) {
        deps.log.warn({ work: work.name }, "the sandbox clock goes on without work that stays due");
        left.add(work);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

async function isDue(work: DueWork, clock: SandboxClock): Promise<boolean> {
  const at = await work.nextDueAt();
  return at !== null && Temporal.Instant.compare(at, clock.now()) <= 0;
}
