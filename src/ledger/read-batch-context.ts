import type { Tx } from "../db/pool.ts";
import { readProgram } from "../program/read-program.ts";
import { readActiveSubscriptions } from "../webhooks/read-active-subscriptions.ts";
import type { BatchContext } from "./posting-batch.ts";
import { readFloor } from "./read-floor.ts";

/** Reads what a batch shares. To be sent after the locks: a statement of the same transaction sees what they protect. */
export async function readBatchContext(tx: Tx): Promise<BatchContext> {
  const [program, floorAt, subscriptions] = await Promise.all([
    readProgram(tx),
    readFloor(tx),
    readActiveSubscriptions(tx),
  ]);
  return {
    rules: { ...program.expiration, timeZone: program.store.timeZone },
    programVersion: program.version,
    floorAt,
    subscriptions,
  };
}
