import { runAsSystem } from "../actor.ts";
import type { Wake } from "../deps.ts";

/** `Wake` with its hearing end: the loops of this process. */
export interface WakeHub {
  readonly wake: Wake;
  /** Calls `listener` at every wake of the kind, until the answer is called. */
  on(kind: keyof Wake, listener: () => void): () => void;
}

export function createWakeHub(): WakeHub {
  const listeners = {
    deliveries: new Set<() => void>(),
    receipts: new Set<() => void>(),
    exports: new Set<() => void>(),
    mails: new Set<() => void>(),
  };
  const tell = (kind: keyof Wake) => () => {
    runAsSystem(() => {
      for (const listener of listeners[kind]) listener();
    });
  };
  return {
    wake: {
      deliveries: tell("deliveries"),
      receipts: tell("receipts"),
      exports: tell("exports"),
      mails: tell("mails"),
    },
    on(kind, listener) {
      listeners[kind].add(listener);
      return () => void listeners[kind].delete(listener);
    },
  };
}
