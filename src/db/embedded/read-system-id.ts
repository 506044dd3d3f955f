import { open } from "node:fs/promises";
import { join } from "node:path";
import { EmbeddedServerError } from "./embedded-server-error.ts";

const ID_BYTES = 8;

/** Reads the system identifier of the cluster in a server's home. It begins the control file in every version, and can be read while no server runs. */
export async function readSystemId(home: string): Promise<string> {
  const path = join(home, "pg", "global", "pg_control");
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(ID_BYTES), position: 0 });
    if (bytesRead < ID_BYTES)
      throw new EmbeddedServerError(`${path} is damaged: it has ${bytesRead} bytes. Restore a backup.`);
    return buffer.readBigUInt64LE().toString();
  } finally {
    await file.close();
  }
}
