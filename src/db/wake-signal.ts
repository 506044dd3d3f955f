/** Wakes a loop that waits for work. */
export interface WakeSignal {
  notify(): void;
  /** Discards earlier notifications: `wait` ends only at a later one. */
  reset(): void;
  /** Resolves when it is notified, immediately if it was notified since `reset`, or after this time. */
  wait(waitMs: number): Promise<void>;
}

export function createWakeSignal(): WakeSignal {
  let isNotified = false;
  let endWait: () => void = () => {};
  return {
    notify() {
      isNotified = true;
      endWait();
    },
    reset() {
      isNotified = false;
    },
    async wait(waitMs) {
      if (isNotified) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        endWait = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
