import { accessSync, constants, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";

const IN_MEMORY = "/dev/shm";
/** The databases of a whole run take a quarter of this. */
const ROOM_BYTES = 4 * 2 ** 30;
const MEMORY_BYTES = 6 * 2 ** 30;

/**
 * The folder that tests make their data folders in: one in memory where there is room for it. There a new database costs a tenth of
 * what it costs on a disk, since PostgreSQL writes each through to the disk. Tests of what a crash leaves use `tmpdir()` instead.
 */
export function scratchRoot(): string {
  try {
    accessSync(IN_MEMORY, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES && freemem() >= MEMORY_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir(); // no such folder, or not for this user
  }
}
