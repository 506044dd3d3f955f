import { AsyncLocalStorage } from "node:async_hooks";

/** The actor of a change, as an entry of the audit log names it. */
export interface Actor {
  readonly kind: "staff" | "credential" | "command" | "system";
  /** The id of the person or the credential; null: a command, or the service itself. */
  readonly id: string | null;
  readonly name: string;
  /** The address from which a request came; null: this machine. */
  readonly address: string | null;
}

interface Act {
  readonly actor: Actor;
  readonly at: Temporal.Instant | null;
}

const SYSTEM: Act = { actor: { kind: "system", id: null, name: "pointkeeper", address: null }, at: null };

const acts = new AsyncLocalStorage<Act>();

/** Runs `work`, and everything that it starts, in an actor's name; `at` is the business time recorded for its changes of settings. */
export function runAs<T>(actor: Actor, work: () => T, at: Temporal.Instant | null = null): T {
  return acts.run({ actor, at }, work);
}

/** Runs `work` in the service's own name, not that of the calling request: for work that many requests share. */
export function runAsSystem<T>(work: () => T): T {
  return acts.getStore() === undefined ? work() : acts.exit(work);
}

/** Returns the current actor: the service itself if no other actor was named. */
export function currentActor(): Actor {
  return (acts.getStore() ?? SYSTEM).actor;
}

/** Returns what a transaction passes to the database's audit triggers: JSON, or null if the service itself acts. */
export function actorSetting(): string | null {
  const act = acts.getStore();
  if (act === undefined) return null;
  return JSON.stringify({ ...act.actor, at: act.at });
}
