import { expect } from "vitest";
import { selectByStorefrontId } from "../../src/customers/customer-queries.ts";
import type { AllotmentType } from "../../src/ledger/allotment-types.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { type Posting, plainPosting } from "../../src/ledger/posting.ts";
import { body, line, shipped } from "./order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "./order-flow.ts";
import { type AdminClient, signIn } from "./staff.ts";

/** A row of the ledger as the test reads it itself. */
export interface ModelRow {
  readonly uid: string;
  readonly at: Temporal.Instant;
  readonly type: string;
  readonly points: bigint;
  readonly customer: string;
  readonly email: string | null;
  readonly parent: string | null;
  readonly texts: readonly (string | null)[];
  readonly note: string | null;
}

/** A store of 120 allotments of every kind, and its list in the dashboard. */
export interface LedgerStory extends OrderFlow {
  readonly viewer: AdminClient;
  readonly support: AdminClient;
  /** Every row, newest first, read by the test itself. */
  readModel(): Promise<ModelRow[]>;
  /** Follows `next` to the end; returns the uids that match the filters. */
  listAll(query: string): Promise<string[]>;
  /** Gives a customer many points one by one, all at once. */
  giveOneByOne(customerId: string, count: number): Promise<void>;
}

const CUSTOMERS = ["c1", "c2", "c3", "c4"];

export async function startLedgerStory(): Promise<LedgerStory> {
  const flow = await startOrderFlow();
  await runStory(flow);
  const [viewer, support] = [await signIn(flow, "viewer"), await signIn(flow, "support")];
  return {
    ...flow,
    viewer,
    support,
    readModel: () => flow.deps.db.query<ModelRow>(MODEL),
    listAll: (query) => listAll(viewer, query),
    async giveOneByOne(customerId, count) {
      const change = { kind: "add", pointValue: 1n, shortfall: "cap" } as const;
      const postings = Array.from({ length: count }, () =>
        plainPosting(flow.deps.random.uid(), "flow", "bulk", change),
      );
      for (let n = 0; n < count; n += 3_000) await postAll(flow, customerId, postings.slice(n, n + 3_000));
    },
  };
}

async function runStory(flow: OrderFlow): Promise<void> {
  for (const id of CUSTOMERS) await flow.customer(id, { email: `${id}@tea.example` });
  for (let n = 0; n < 120; n++) {
    flow.clock.advance({ hours: 7 });
    const customer = CUSTOMERS[n % 4] ?? "";
    const post = (type: AllotmentType, pointValue: bigint, more: Partial<Posting> = {}) => {
      const change = { kind: "add", pointValue, shortfall: "cap" } as const;
      return postAll(flow, customer, [{ ...plainPosting(flow.deps.random.uid(), type, "tests", change), ...more }]);
    };
    if (n % 9 === 0) {
      const events = [body(0, [line("a", { price: 900 + n })]), shipped(1, "f", { a: 1 })];
      await flow.take(...ofOrder(`o${n}`, customer, events));
    } else if (n % 9 === 1) await post("manual", 200n, { note: `=1+${n}`, actor: "Mika, the manager" });
    else if (n % 9 === 2) await post("api", BigInt(-3 * n));
    else await post(n % 2 === 0 ? "reward" : "csv", BigInt(n), { object: `reward-${n % 5}` });
  }
}

async function postAll({ deps }: OrderFlow, customerId: string, postings: readonly Posting[]): Promise<void> {
  await deps.db.tx(async (tx) => {
    const customer = await selectByStorefrontId(tx, customerId);
    if (customer === undefined) throw new Error(`no customer ${customerId}`);
    const wanted = postings.map((posting) => ({ customer, posting }));
    await postAllotments(tx, deps, wanted);
  });
}

const MODEL = `select a.uid,
  a.allotted_at as at,
  a.type,
  a.point_value as points,
  c.storefront_id as customer,
  c.email,
  a.parent,
  array[a.app_reference, a.object, a.parent, a.action, n.actor] as texts,
  n.note
from allotment a
join customer c using (bucket, customer_uid)
left join allotment_note n using (bucket, customer_uid, version)
order by a.allotted_at desc, a.uid desc`;

async function listAll(viewer: AdminClient, query: string): Promise<string[]> {
  const uids: string[] = [];
  for (let after = ""; ; ) {
    const page = await viewer.get(`/ledger?${query}${after}`);
    expect(page.status).toBe(200);
    uids.push(...page.body.data.map((row: { uid: string }) => row.uid));
    if (page.body.next === null) return uids;
    after = `&after=${encodeURIComponent(page.body.next)}`;
  }
}

/** The last column of each line of the ledger's file except the header: no cell in these tests has a line break. */
export function uidsOf(csv: string): string[] {
  const lines = csv.trim().split("\r\n").slice(1);
  return lines.map((text) => text.slice(text.lastIndexOf(",") + 1));
}
