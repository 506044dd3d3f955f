import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const SYSTEM_ID = 7_713_521_471_838_576_187n;
export const SEGMENTS = ["000000010000000000000002", "000000010000000000000003"];

/** What a server that cannot run leaves: its control file, and segments that wait for the archive. */
export async function makeStopped(dataDir: string): Promise<void> {
  for (const path of ["pg/global", "pg/pg_wal", "log-spool"]) await mkdir(join(dataDir, path), { recursive: true });
  const control = Buffer.alloc(8);
  control.writeBigUInt64LE(SYSTEM_ID);
  await writeFile(join(dataDir, "pg/global/pg_control"), control);
  for (const name of SEGMENTS) await writeFile(join(dataDir, "log-spool", name), segmentOf(name));
}

/** Bytes with the header of a segment that a cluster wrote. */
export function segmentOf(text: string, systemId = SYSTEM_ID, bytes = 1_024): Buffer {
  const segment = Buffer.alloc(bytes, text);
  segment.writeBigUInt64LE(systemId, 24);
  segment.writeUInt32LE(2 ** 24, 32); // the size of a segment
  return segment;
}
