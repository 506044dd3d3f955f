import { accessSync, constants, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";

const IN_MEMORY = "/dev/shm";
/** The databases of a complete run take a quarter of this. */
const ROOM_BYTES = 4 * 2 ** 30;
const MEMORY_BYTES = 6 * 2 ** 30;

/**
 * The folder for the tests' data folders: in memory if there is enough space. There a new database costs a tenth of what it costs on a disk, since
 * PostgreSQL writes each through to the disk. Tests of crash recovery use `tmpdir()` instead.
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
