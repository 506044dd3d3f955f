import { runAsSystem } from "../actor.ts";
import type { Wake } from "../deps.ts";

/** The receiving side of `Wake`: the loops of this process listen here. */
export interface WakeHub {
  readonly wake: Wake;
  /** Calls `listener` at every wake of the kind, until the returned function is called. */
  on<Kind extends keyof Wake>(kind: Kind, listener: Wake[Kind]): () => void;
}

export function createWakeHub(): WakeHub {
  const listeners = {
    deliveries: new Set<Wake["deliveries"]>(),
    receipts: new Set<Wake["receipts"]>(),
    exports: new Set<Wake["exports"]>(),
    mails: new Set<Wake["mails"]>(),
  };
  const notify = <Args extends unknown[]>(to: ReadonlySet<(...args: Args) => void>) => {
    return (...args: Args) => {
      runAsSystem(() => {
        for (const listener of to) listener(...args);
      });
    };
  };
  return {
    wake: {
      deliveries: notify(listeners.deliveries),
      receipts: notify(listeners.receipts),
      exports: notify(listeners.exports),
      mails: notify(listeners.mails),
    },
    on(kind, listener) {
      const of: Set<typeof listener> = listeners[kind];
      of.add(listener);
      return () => void of.delete(listener);
    },
  };
}
