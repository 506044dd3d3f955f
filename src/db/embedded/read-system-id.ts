import { open } from "node:fs/promises";
import { join } from "node:path";

const ID_BYTES = 8;

/** Reads the system identifier of the cluster in a server's home. It begins the control file in every version, and can be read while no server runs. */
export async function readSystemId(home: string): Promise<string> {
  const file = await open(join(home, "pg", "global", "pg_control"), "r");
  try {
    const { buffer } = await file.read({ buffer: Buffer.alloc(ID_BYTES), position: 0 });
    return buffer.readBigUInt64LE().toString();
  } finally {
    await file.close();
  }
}
