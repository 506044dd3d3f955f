import type { Deps } from "../deps.ts";
import { listStuckReceipts } from "../intake/list-stuck-receipts.ts";
import { reprocessReceipt } from "../intake/reprocess-receipt.ts";
import { formatInstant } from "../shop/store-time.ts";
import type { Given } from "./command-line.ts";
import { uidArgument } from "./uid-argument.ts";
import { withDeps } from "./with-deps.ts";

const SHOWN_MAX = 1_000;

/** `pointkeeper intake stuck | reprocess <uid>`: what the platform told and could not be processed, and another try. */
export async function intake({ action, operands: [uid] }: Given): Promise<number> {
  for (const line of await withDeps(workOf(action, uid))) process.stdout.write(`${line}\n`);
  return 0;
}

function workOf(action: string, uid: string | undefined): (deps: Deps) => Promise<string[]> {
  if (action === "stuck") return showStuck;
  if (action === "reprocess") {
    const one = uidArgument(uid, "pointkeeper intake reprocess <uid>");
    return async (deps) => {
      const state = await deps.db.tx((tx) => reprocessReceipt(tx, deps, one));
      return [`${one} is ${state}: a running service takes it up.`];
    };
  }
  throw new Error(`no work for ${action}`);
}

async function showStuck(deps: Deps): Promise<string[]> {
  const stuck = await listStuckReceipts(deps.db, SHOWN_MAX);
  if (stuck.length === 0) return ["Nothing waits, failed or was quarantined."];
  return stuck.map(({ uid, state, topic, subject, note, receivedAt }) =>
    [uid, state, formatInstant(receivedAt), topic, subject, note ?? ""].join("  ").trimEnd(),
  );
}
