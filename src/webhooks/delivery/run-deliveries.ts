import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../../deps.ts";
import { createLimiter } from "../../http/limits/limiter.ts";
import { noDeadReceivers } from "./dead-receivers.ts";
import { deliverDue } from "./deliver-due.ts";
import { LEASE_MS, leaseReceivers, releaseReceivers } from "./lease-queries.ts";
import type { DeliverOptions, ReceiverLease } from "./receiver-worker.ts";

const TICK_MS = 500;
/** A lease is given up this long before it ends, to allow for the difference between the database's clock and ours. */
const LEASE_MARGIN_MS = 500;
/** When a process stops, it waits this long for responses, so that it ends within 5 seconds. */
const FINISH_MS = 3_000;

const ONE_AT_A_TIME = { running: 1, waiting: Number.POSITIVE_INFINITY };

interface Served {
  heldUntilMs: number;
  done: Promise<void>;
}

/**
 * Runs the deliveries of a worker until `signal` aborts. Serves every receiver that no other worker serves, each separately, so that a slow or dead
 * receiver delays no other. At the end it finishes requests that are answered within 3 seconds and releases the receivers (program.md 7).
 */
export async function runDeliveries(deps: Deps, options: DeliverOptions): Promise<void> {
  const leaseUid = deps.random.uid();
  const served = new Map<string, Served>();
  const givingUp = new AbortController();
  const holder = {
    leaseUid,
    givenUp: givingUp.signal,
    deadReceivers: noDeadReceivers(),
    limitReads: createLimiter(ONE_AT_A_TIME),
    limitWrites: createLimiter(ONE_AT_A_TIME),
  };
  while (!options.signal.aborted) {
    await serveReceivers(deps, options, holder, served);
    await delay(TICK_MS, undefined, { signal: options.signal }).catch(() => {});
  }
  const timer = setTimeout(() => givingUp.abort(), FINISH_MS);
  while (served.size > 0) {
    // Leases are renewed until the last request in flight is answered.
    const all = Promise.all([...served.values()].map(({ done }) => done));
    await Promise.race([all, delay(TICK_MS)]);
    if (served.size > 0) await renew(deps, leaseUid, served);
  }
  clearTimeout(timer);
  await releaseReceivers(deps.db, leaseUid).catch((error: unknown) => {
    deps.log.warn({ error }, "the leases of receivers could not be released");
  });
}

async function serveReceivers(
  deps: Deps,
  options: DeliverOptions,
  holder: Omit<ReceiverLease, "subscriptionUid" | "isHeld">,
  served: Map<string, Served>,
): Promise<void> {
  for (const { uid: subscriptionUid, heldUntilMs } of await renew(deps, holder.leaseUid, served)) {
    if (served.has(subscriptionUid) || options.signal.aborted) continue;
    const entry: Served = { heldUntilMs, done: Promise.resolve() };
    served.set(subscriptionUid, entry);
    const isHeld = () => performance.now() < entry.heldUntilMs;
    entry.done = deliverDue(deps, { ...holder, subscriptionUid, isHeld }, options)
      .catch((error: unknown) => deps.log.error({ error, subscriptionUid }, "deliveries to a receiver stopped"))
      .finally(() => served.delete(subscriptionUid));
  }
}

/** Takes and renews leases; a lease that cannot be renewed ends by itself. Returns those taken or renewed now. */
async function renew(
  deps: Deps,
  leaseUid: string,
  served: Map<string, Served>,
): Promise<{ uid: string; heldUntilMs: number }[]> {
  const heldUntilMs = performance.now() + LEASE_MS - LEASE_MARGIN_MS;
  try {
    const uids = await leaseReceivers(deps.db, leaseUid);
    for (const uid of uids) {
      const entry = served.get(uid);
      if (entry !== undefined) entry.heldUntilMs = heldUntilMs;
    }
    return uids.map((uid) => ({ uid, heldUntilMs }));
  } catch (error) {
    deps.log.warn({ error }, "the leases of receivers could not be renewed");
    return [];
  }
}
