import type { Deps } from "../deps.ts";
import { listStuckReceipts } from "../intake/list-stuck-receipts.ts";
import { readBacklog } from "../intake/read-backlog.ts";
import { reprocessReceipt } from "../intake/reprocess-receipt.ts";
import { formatInstant } from "../time/store-time.ts";
import type { Given } from "./command-line.ts";
import { uidArgument } from "./uid-argument.ts";
import { withDeps } from "./with-deps.ts";

const SHOWN_MAX = 1_000;

/** The command may take its time: it counts them all. */
const COUNTED_TO = 100_000_000;
const PARTS = [
  ["day", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/**
 * `pointkeeper intake [stuck | reprocess <uid>]`: how much is to be processed and how fast it goes; what could not be processed; and
 * another try.
 */
export async function intake({ action, operands: [uid] }: Given): Promise<number> {
  for (const line of await withDeps(workOf(action, uid))) process.stdout.write(`${line}\n`);
  return 0;
}

function workOf(action: string, uid: string | undefined): (deps: Deps) => Promise<string[]> {
  if (action === "intake") return showBacklog;
  if (action === "stuck") return showStuck;
  if (action === "reprocess") {
    const one = uidArgument(uid, "pointkeeper intake reprocess <uid>");
    return async (deps) => {
      const state = await deps.db.tx((tx) => reprocessReceipt(tx, deps, one));
      return [`${one} is ${state}: a running service processes it.`];
    };
  }
  throw new Error(`no work for ${action}`);
}

async function showBacklog(deps: Deps): Promise<string[]> {
  const { counts, olderThan, oldestS, perMinute, leftS } = await readBacklog(deps.db, COUNTED_TO);
  const { minute, tenMinutes, hour, day } = olderThan;
  const ages = `older than 1 min ${minute}, 10 min ${tenMinutes}, 1 h ${hour}, 1 day ${day}`;
  return [
    `new ${counts.new}${oldestS === null ? "" : `: oldest ${lengthOf(oldestS)}; ${ages}`}`,
    `waiting ${counts.waiting}`,
    `failed ${counts.failed}`,
    `quarantined ${counts.quarantined}`,
    `rate ${perMinute} a minute over the last 5 minutes`,
    `left ${leftS === null ? "unknown: nothing was processed; is a worker running?" : lengthOf(leftS)}`,
  ];
}

/** "1 h 5 min": the two largest parts. */
function lengthOf(seconds: number): string {
  let rest = seconds;
  const parts = PARTS.flatMap(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.slice(0, 2).join(" ") || "0 s";
}

async function showStuck(deps: Deps): Promise<string[]> {
  const stuck = await listStuckReceipts(deps.db, SHOWN_MAX);
  if (stuck.length === 0) return ["No receipt is waiting, failed or quarantined."];
  return stuck.map(({ uid, state, topic, subject, note, receivedAt }) =>
    [uid, state, formatInstant(receivedAt), topic, subject, note ?? ""].join("  ").trimEnd(),
  );
}
