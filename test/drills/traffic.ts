import { join } from "node:path";
import type { Db } from "../../src/db/pool.ts";
import { basic, createClient } from "../support/client.ts";
import type { Finished } from "../support/service-process.ts";
import { waitUntil } from "../support/wait-until.ts";
import { audit, drain, type Findings } from "../torture/audit.ts";
import { type Journal, openJournal } from "../torture/journal.ts";
import { type Load, startLoad } from "../torture/load.ts";
import { type Receivers, startReceivers } from "../torture/receivers.ts";

export const CREDENTIAL = { key: "pk_drills", secret: "secret-of-the-drills-0123456789abcdef0123" };
const TOPIC = "point_allotment/cascade";
const CUSTOMERS = 16;
const LANES = 8;
/** A busy machine acknowledges few requests a second. */
const MORE_MS = 600_000;

/** How clients fared between two moments. */
export interface Fared {
  /** Requests that were answered 200 or 202. */
  readonly acknowledged: number;
  /** Answers of 500 and above: 503 with `Retry-After`. */
  readonly errors: number;
  /** Requests whose connection was refused or lost. */
  readonly unanswered: number;
  /** The longest time in which no client had an acknowledgement. */
  readonly gapMs: number;
}

/** Clients that send awards, debits, sets and orders without end, and the journal of the responses. */
export interface Traffic {
  readonly journal: Journal;
  /** When each allotment was acknowledged, by its uid: as performance.now() has it. */
  readonly acknowledgedAtMs: ReadonlyMap<string, number>;
  fared(): Fared;
  /** Waits until so many more requests were acknowledged. */
  more(count: number): Promise<void>;
  /** Clients finish what they have begun. */
  end(): Promise<void>;
  /** Waits until nothing is due any more, and holds the ledger beside the journal; `isDelivered`: and what the receiver got. */
  audit(store: { db: Db; command(...args: string[]): Promise<Finished> }, isDelivered: boolean): Promise<Findings>;
  close(): Promise<void>;
}

const customerId = (n: number) => `9200${String(n).padStart(2, "0")}`;

/** Makes customers and a subscription by `url`, and begins to send to it. */
export async function startTraffic(url: string, folder: string, seed: number): Promise<Traffic> {
  const written = openJournal(join(folder, `journal-${seed}`));
  const acknowledgedAtMs = new Map<string, number>();
  const journal: Journal = {
    ...written,
    end(call, outcome) {
      if (outcome.kind === "acknowledged") acknowledgedAtMs.set(outcome.uid, performance.now());
      written.end(call, outcome);
    },
  };
  const receivers = await startReceivers(seed, journal);
  const authorization = basic(CREDENTIAL);
  const store = createClient(url, authorization);
  const customers = Array.from({ length: CUSTOMERS }, (_, n) => customerId(n));
  for (const id of customers) await store.put(`/api/storefront/customers/${id}`, { name: `Customer ${id}` });
  await subscribe(store, receivers);
  const meter = createMeter();
  const load: Load = startLoad({
    seed,
    lanes: LANES,
    urls: [url],
    authorization,
    customers,
    buyers: [],
    journal,
    seen: meter.seen,
  });
  return {
    journal,
    acknowledgedAtMs,
    fared: meter.fared,
    async more(count) {
      const wanted = meter.fared().acknowledged + count;
      await waitUntil(() => meter.fared().acknowledged >= wanted, MORE_MS);
    },
    end: async () => {
      await load.end();
      meter.end();
    },
    async audit(cluster, isDelivered) {
      const [row] = await cluster.db.query<{ uid: string }>("select uid from subscription where callback_url = $1", [
        receivers.url,
      ]);
      if (isDelivered) await drain(cluster, row?.uid ?? "");
      return audit(cluster, journal);
    },
    close: () => receivers.close(),
  };
}

async function subscribe(store: ReturnType<typeof createClient>, receivers: Receivers): Promise<void> {
  const { body, status, text } = await store.post("/api/storefront/webhooks", {
    topic: TOPIC,
    callback_url: receivers.url,
  });
  if (status !== 200) throw new Error(text);
  receivers.trust(body.data.secret);
}

function createMeter() {
  let lastMs = performance.now();
  let endMs: number | undefined;
  const counts = { acknowledged: 0, errors: 0, unanswered: 0, gapMs: 0 };
  const pass = (nowMs: number) => {
    counts.gapMs = Math.max(counts.gapMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  return {
    seen(status: number | null): void {
      if (status === null) counts.unanswered++;
      else if (status >= 500) counts.errors++;
      else if (status < 300) {
        counts.acknowledged++;
        pass(performance.now());
      }
    },
    end(): void {
      endMs ??= performance.now();
      pass(endMs);
    },
    fared: (): Fared => ({ ...counts, gapMs: Math.round(counts.gapMs) }),
  };
}
