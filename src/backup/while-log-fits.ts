import type { BackupTarget } from "./backup-target.ts";
import { BackupError } from "./manifest.ts";

interface Room {
  /** The log that the server keeps for the backup. */
  readonly heldBytes: () => Promise<number>;
  /** What is free on the disk of the store. */
  readonly freeBytes: () => Promise<number>;
}

const BYTES_A_MB = 1_000_000;

/**
 * Returns the target as long as the log that the server keeps for the backup is smaller than what the disk of the store has left. With a slow bucket
 * and a busy store the log would otherwise fill the disk: a backup must not stop the store.
 */
export function whileLogFits(target: BackupTarget, { heldBytes, freeBytes }: Room): BackupTarget {
  return {
    ...target,
    async put(name, bytes) {
      const [held, free] = await Promise.all([heldBytes(), freeBytes()]);
      if (held > free)
        throw new BackupError(
          `The backup takes too long: the database keeps ${megabytes(held)} of its log for it, and its disk has ${megabytes(free)} left. Use a faster place, or a larger disk.`,
        );
      await target.put(name, bytes);
    },
  };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / BYTES_A_MB)} MB`;
}
