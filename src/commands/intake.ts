import type { Deps } from "../deps.ts";
import { listStuckReceipts } from "../intake/list-stuck-receipts.ts";
import { readBacklog } from "../intake/read-backlog.ts";
import { reprocessReceipt } from "../intake/reprocess-receipt.ts";
import { formatInstant } from "../time/store-time.ts";
import type { Given } from "./command-line.ts";
import { explainNotFound } from "./explain-not-found.ts";
import { jsonTime, lengthText, print, printMoreNotice, type Shown, tableLines } from "./output.ts";
import { uidArgument } from "./uid-argument.ts";
import { withDeps } from "./with-deps.ts";

const SHOWN_MAX = 1_000;

/** The command may take its time, so it counts them all. */
const COUNTED_TO = 100_000_000;

/**
 * `pointkeeper intake [stuck | reprocess <uid>]`: the number of unprocessed receipts and the rate of processing; receipts that could not be
 * processed; and processing one again.
 */
export async function intake(given: Given): Promise<number> {
  print(given, await withDeps(workOf(given.action, given.operands[0])));
  return 0;
}

function workOf(action: string, uid: string | undefined): (deps: Deps) => Promise<Shown> {
  if (action === "intake") return showBacklog;
  if (action === "stuck") return showStuck;
  if (action === "reprocess") {
    const one = uidArgument(uid, "pointkeeper intake reprocess <uid>");
    return async (deps) => {
      const says = `No received event has the uid ${one}.`;
      const state = await deps.db.tx((tx) => reprocessReceipt(tx, deps, one)).catch(explainNotFound(says));
      return { json: { uid: one, state }, text: [`${one} is ${state}: a running service processes it.`] };
    };
  }
  throw new Error(`no work for ${action}`);
}

async function showBacklog(deps: Deps): Promise<Shown> {
  const { counts, olderThan, oldestS, perMinute, leftS } = await readBacklog(deps.db, COUNTED_TO);
  const { minute, tenMinutes, hour, day } = olderThan;
  const ages = `older than 1 min ${minute}, 10 min ${tenMinutes}, 1 h ${hour}, 1 day ${day}`;
  const text = [
    `new ${counts.new}${oldestS === null ? "" : `: oldest ${lengthText(oldestS)}; ${ages}`}`,
    `waiting ${counts.waiting}`,
    `failed ${counts.failed}`,
    `quarantined ${counts.quarantined}`,
    `rate ${perMinute} a minute over the last 5 minutes`,
    `left ${leftS === null ? "unknown: nothing was processed; is a worker running?" : lengthText(leftS)}`,
  ];
  const older = { over_1_minute: minute, over_10_minutes: tenMinutes, over_1_hour: hour, over_1_day: day };
  const rates = { oldest_seconds: oldestS, processed_per_minute: perMinute, left_seconds: leftS };
  return { json: { ...counts, ...older, ...rates }, text };
}

async function showStuck(deps: Deps): Promise<Shown> {
  const found = await listStuckReceipts(deps.db, SHOWN_MAX + 1);
  const stuck = found.slice(0, SHOWN_MAX);
  printMoreNotice(found, SHOWN_MAX);
  const rows = stuck.map(({ uid, state, topic, subject, note, receivedAt }) => [
    uid,
    state,
    formatInstant(receivedAt),
    topic,
    subject,
    note ?? "",
  ]);
  return {
    json: {
      receipts: stuck.map(({ uid, state, topic, subject, note, receivedAt }) => ({
        ...{ uid, state, topic, subject, note },
        received_at: jsonTime(receivedAt),
      })),
    },
    text:
      rows.length === 0
        ? ["No receipt is waiting, failed or quarantined."]
        : tableLines(["uid", "state", "received", "topic", "subject", "note"], rows),
  };
}
