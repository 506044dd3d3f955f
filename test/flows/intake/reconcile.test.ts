import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../../demo/payloads/platform-json.ts";
import { type ReconcileTally, reconcileLines } from "../../../src/intake/reconcile-lines.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { fieldOf, formatJson, isList, type Json, parseJsonText } from "../../../src/platforms/json-source.ts";
import { STORIES } from "../../fixtures/stories/all.ts";
import type { Story } from "../../fixtures/stories/story.ts";
import { type IntakeService, readRecorded, startIntakeService, storesByCurrency } from "../../support/intake.ts";
import { makeFolder, runCli, spawnService } from "../../support/service-process.ts";

const stores = storesByCurrency("2026-05-01T00:00:00Z");
afterAll(() => stores.stop());

/** Reconciles lines of text; returns the counts and the messages about invalid lines. */
async function reconcile(
  service: IntakeService,
  lines: readonly string[],
): Promise<{ tally: ReconcileTally; faults: [number, string][] }> {
  const faults: [number, string][] = [];
  async function* all() {
    for (const [i, text] of lines.entries()) yield { n: i + 1, bytes: Buffer.from(text) };
  }
  const tally = await reconcileLines(service.deps, all(), (n, fault) => void faults.push([n, fault]));
  return { tally, faults };
}

/** The story of another order and customer. */
function renumbered(story: Story, run: number): Story {
  const renumber = (text: string) => text.replace(/\d{12,}/g, (id) => `${run}${id}`);
  return {
    ...story,
    orderId: renumber(story.orderId),
    customerId: renumber(story.customerId),
    messages: story.messages.map(({ topic, body }) => ({ topic, body: renumber(body) })),
  };
}

function parsed({ body }: Message): Json {
  const json = parseJsonText(body);
  if (!json.ok) throw new Error(json.fault);
  return json.value;
}

const textOf = (value: Json | undefined): string => formatJson(value ?? null);

/** The order as an export shows it at the end: its newest body with every fulfilment and refund of the story. */
function exported({ messages }: Story): string {
  const isOrder = ({ topic }: Message) =>
    topic.startsWith("orders/") && topic !== "orders/edited" && topic !== "orders/delete";
  const bodies = messages.filter(isOrder).map(parsed);
  const newest = bodies.reduce((a, b) =>
    textOf(fieldOf(b, "updated_at")) >= textOf(fieldOf(a, "updated_at")) ? b : a,
  );
  const united = (field: string, topic: string): Json[] => {
    const nested = bodies
      .flatMap((body) => fieldOf(body, field) ?? [])
      .flatMap((list) => (isList(list) ? list : [list]));
    const own = messages.filter((message) => message.topic.startsWith(topic)).map(parsed);
    const newestById = new Map<string, Json>();
    for (const one of [...nested, ...own]) {
      const known = newestById.get(textOf(fieldOf(one, "id")));
      const isNewer = known === undefined || textOf(fieldOf(one, "updated_at")) >= textOf(fieldOf(known, "updated_at"));
      if (isNewer) newestById.set(textOf(fieldOf(one, "id")), one);
    }
    return [...newestById.values()];
  };
  return textOf({
    ...(newest as object), // cast: an order's body is an object
    fulfillments: united("fulfillments", "fulfillments/"),
    refunds: united("refunds", "refunds/"),
  });
}

async function outcomeOf(service: IntakeService, { orderId, customerId }: Story) {
  const orders = await service.client.get(`/api/storefront/orders?ids=${orderId}`);
  const balance = await service.client.get(`/api/storefront/point_balances/${customerId}`);
  const { awardable_points, points_awarded } = orders.body.data[orderId];
  return { awardable_points, points_awarded, balance: balance.body.data.point_balance };
}

describe("what was never delivered is made up", () => {
  test.each(STORIES)("$name", async (story) => {
    const service = await stores.of(story.currency);
    const points = Number(story.expected.points);
    const end = { awardable_points: points, points_awarded: points, balance: points };
    const drops = fc.sample(fc.subarray([...story.messages.keys()]), { numRuns: 4, seed: 7 });
    for (const [run, dropped] of drops.entries()) {
      const again = renumbered(story, run + 1);
      for (const [n, { topic, body }] of again.messages.entries()) {
        if (!dropped.includes(n)) await service.deliver(topic, body, { id: `delivery-${n}` });
      }
      await service.drain();
      const line = exported(again);
      const { tally, faults } = await reconcile(service, [line, line]);
      expect(faults).toEqual([]);
      expect(tally).toEqual({ lines: 2, fresh: 1, known: 1, ignored: 0, failed: 0 });
      expect(await outcomeOf(service, again)).toEqual(end);
    }
    const lines: string[] = [];
    await verifyLedger(service.deps.db, (text) => lines.push(text), ORDER_CHECKS);
    expect(lines.filter((text) => text.startsWith("FAIL"))).toEqual([]);
  });
});

describe("lines of every kind", () => {
  let service: IntakeService;
  beforeAll(async () => {
    service = await startIntakeService({ program: { store: { currency: "USD" } } });
  });
  afterAll(() => service.stop());

  test("bodies of deliveries, plain orders and customers; bad ones are told by number and the others go on", async () => {
    const customer = readRecorded().find(({ topic }) => topic === "customers/create");
    const [story] = STORIES;
    const [sent] = story?.messages.filter(({ topic }) => topic === "orders/create") ?? [];
    const lines = [
      customer?.body.toString().replaceAll("\n", " ") ?? "",
      `{"topic":"orders/create","body":${sent?.body}}`,
      "{ no json",
      '{"hello":"world"}',
      '{"topic":"carts/update","body":{"id":1}}',
      '{"topic":"orders/create","body":{"id":"one"}}',
      `${sent?.body}`,
    ];
    const { tally, faults } = await reconcile(service, lines);
    expect(tally).toEqual({ lines: 7, fresh: 3, known: 0, ignored: 1, failed: 3 });
    expect(faults.map(([n]) => n)).toEqual([3, 4, 6]);
    expect(faults[1]?.[1]).toBe("neither {topic, body} nor an order, a product or a customer");
    expect((await service.receipts()).map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect((await service.client.get(`/api/storefront/point_balances/${story?.customerId}`)).status).toBe(200);
    const again = await reconcile(service, lines);
    expect(again.tally).toEqual({ lines: 7, fresh: 0, known: 3, ignored: 1, failed: 3 });
  });

  test("a line that cannot be applied is told with the reason, and counted as failed", async () => {
    await service.client.put("/api/storefront/customers/full", {});
    const most = 9_007_199_254_740_991;
    await service.client.post("/api/storefront/point_balances/full/set_balances", { balance: most });
    await service.owner.execute(
      "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$",
    );
    await service.owner.execute(
      "create trigger no_orders before insert on store_order for each row execute function refuse()",
    );
    const { tally, faults } = await reconcile(service, [exported(renumbered(STORIES[1] as Story, 9))]); // cast: there are many stories
    expect(tally).toMatchObject({ fresh: 1, failed: 1 });
    expect(faults[0]?.[1]).toContain("no room");
  });
});

describe("pointkeeper reconcile", () => {
  test("reads a file twice: the second time it is all known; lines too long are passed over", async () => {
    const folder = await makeFolder();
    try {
      const env = { POINTKEEPER_DATA_DIR: join(folder.path, "data"), HOME: folder.path };
      await (await spawnService(env)).stop(); // makes the store
      const [story] = STORIES;
      const file = join(folder.path, "export.jsonl");
      const lines = [exported(story as Story), "", `{"long":"${"x".repeat(11_000_000)}"}`, "[]"]; // cast: there are many stories
      await writeFile(file, `\uFEFF${lines.join("\r\n")}`);
      const first = await runCli(["reconcile", file], env);
      expect(first.stdout).toBe("3 lines: 1 new, 0 known, 0 ignored, 2 failed\n");
      expect(first.stderr).toContain("line 3: longer than 10 MB\nline 4: neither");
      expect(first.code).toBe(1);
      await writeFile(file, `${lines[0]}\n`);
      const second = await runCli(["reconcile", file], env);
      expect(second).toMatchObject({ code: 0, stdout: "1 line: 0 new, 1 known, 0 ignored, 0 failed\n" });
      const missing = await runCli(["reconcile", join(folder.path, "none.jsonl")], env);
      expect(missing.code).toBe(4);
      expect(missing.stderr).toContain("cannot be read");
    } finally {
      await folder.remove();
    }
  });
});
