import { isObjectPlace } from "../object-store/object-place.ts";
import { readFileSystem } from "./read-file-system.ts";

/** Disks of a network share that have to start answer within this time. */
const WAIT_MS = 30_000;

/** Returns a sentence where the folder of the backups does not answer; null: it does, it is not there, or it is in a bucket. */
export async function readSilentPlace(dir: string): Promise<string | null> {
  if (isObjectPlace(dir) || (await readFileSystem(dir, WAIT_MS)) !== "silent") return null;
  return `${dir} does not answer: it may be on a network share that is away. What waits is written once it answers.`;
}
