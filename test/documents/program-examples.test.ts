import { describe, expect, test } from "vitest";
import { lotExpiry } from "../../src/ledger/expiry/expiry.ts";
import { parseProgramDocument, programOf } from "../../src/program/program-document.ts";
import { TIER_RULES_MAX } from "../../src/program/program-schema.ts";
import { evaluateTier } from "../../src/tiers/tier-evaluation.ts";
import { programOfRow, type Row, sectionsOf } from "../support/documents/tables.ts";
import { startTestService, type TestService } from "../support/service.ts";

const API = "/api/storefront";
const AT = "2026-06-10T03:00:00Z";
const NOW = "2026-12-01T00:00:00Z";
const SECTIONS = sectionsOf("docs/program-examples.md");

const has = (head: string) => SECTIONS.filter(({ rows }) => rows[0]?.has(head));
const cellOf = (row: Row, head: string): string => {
  const cell = row.get(head);
  if (cell === undefined) throw new Error(`the table has no column ${head}`);
  return cell;
};
const numberOf = (row: Row, head: string) => Number(cellOf(row, head).replaceAll(",", ""));

function programIn(document: object) {
  const spareUids = Array.from(
    { length: TIER_RULES_MAX },
    (_, n) => `00000000-0000-7000-8000-${`${n}`.padStart(12, "0")}`,
  );
  const parsed = parseProgramDocument(document, { previous: null, spareUids });
  if (parsed.kind === "faults") throw new Error(JSON.stringify(parsed.faults));
  return programOf(parsed.document, { version: 2, shortenedAt: null });
}

async function withService(program: object, work: (service: TestService) => Promise<void>): Promise<void> {
  const service = await startTestService({ now: NOW, program });
  try {
    await service.client.put(`${API}/customers/c1`, {});
    await work(service);
  } finally {
    await service.stop();
  }
}

/** `1,250 + 330 (tax 30)`: the lines of an order, in major units. */
function linesOf(text: string, currency: string): object[] {
  return text.split(" + ").map((part, index) => {
    const [, amount = "", kind, value = ""] = /^([\d,.]+)(?: \((tax|tag|collection) (\w+)\))?$/.exec(part) ?? [];
    const minor = Math.round(Number(amount.replaceAll(",", "")) * (currency === "JPY" ? 1 : 100));
    const line = { line_id: `${index + 1}`, quantity: 1, unit_price: { minor, currency } };
    if (kind === "tax") return { ...line, tax: { minor: Number(value), currency } };
    if (kind === "tag") return { ...line, tags: [value] };
    return kind === "collection" ? { ...line, collections: [value] } : line;
  });
}

const orderOf = (lines: object[], currency: string, processedAt = AT) => ({
  ...{ order_id: "o1", customer_id: "c1", shop_currency: currency, taxes_included: true, lines },
  ...{ processed_at: processedAt, paid_at: AT, financial_status: "paid", fulfillment_status: "fulfilled" },
});

async function send(service: TestService, type: string, payload: object): Promise<void> {
  const event = { type, occurred_at: AT, payload };
  const { status, body } = await service.client.post("/intake/events", event, { prefer: "wait=10" });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
}

const balanceOf = async (service: TestService) => (await service.client.get(`${API}/point_balances/c1`)).body.data;

test("every section of the page is tested here", () => {
  const tested = ["order", "points of the order", "`refunds.shortfall`", "expire", "tier after", "coupon of"];
  expect(SECTIONS.filter(({ rows }) => !tested.some((head) => rows[0]?.has(head))).map(({ title }) => title)).toEqual(
    [],
  );
  expect(SECTIONS.flatMap(({ rows }) => rows).length).toBeGreaterThan(35);
});

describe("docs/program-examples.md", () => {
  test.each(has("order"))("$title", async ({ json, rows }) => {
    for (const [text, own] of Map.groupBy(rows, (row) => JSON.stringify(programOfRow(json, row)))) {
      const program: object = JSON.parse(text);
      const { currency } = programIn(program).store;
      await withService(program, async ({ client }) => {
        for (const row of own) {
          const tier = row.get("tier");
          if (tier !== undefined)
            expect((await client.post(`${API}/point_balances/c1/tiers`, { tier })).status).toBe(200);
          const at = row.get("processed at") ?? (tier === undefined ? AT : NOW);
          const order = orderOf(linesOf(cellOf(row, "order"), currency), currency, at);
          const { data } = (await client.post(`${API}/orders/preview`, order)).body;
          const exact = (data.lines as { points_exact: string }[]).map((line) => Number(line.points_exact)); // cast: as documented
          const sum = exact.reduce((total, each) => total + each, 0);
          expect([data.points, sum]).toEqual([numberOf(row, "points"), expect.closeTo(numberOf(row, "exact"), 6)]);
        }
      });
    }
  });

  test.each(has("points of the order"))("$title", async ({ json, rows }) => {
    await withService(json, async (service) => {
      const order = orderOf(linesOf("1,250 + 330", "JPY"), "JPY");
      const line = { line_id: "2", quantity: 1, subtotal: { minor: 330, currency: "JPY" } };
      const refund = { refund_id: "r1", created_at: AT, lines: [line], money_moved: { minor: 330, currency: "JPY" } };
      const steps: Readonly<Record<string, () => Promise<void>>> = {
        "paid and shipped": () => send(service, "OrderPaid", order),
        "the line of 330 is refunded": () => send(service, "OrderRefunded", { order_id: "o1", refund }),
        cancelled: () => send(service, "OrderCancelled", { order_id: "o1", cancelled_at: AT }),
      };
      for (const row of rows) {
        await steps[cellOf(row, "event")]?.();
        const { data } = (await service.client.get(`${API}/orders?ids=o1`)).body;
        expect([cellOf(row, "event"), data.o1.points_awarded]).toEqual([
          cellOf(row, "event"),
          numberOf(row, "points of the order"),
        ]);
      }
    });
  });

  test.each(has("`refunds.shortfall`"))("$title", async ({ json, rows }) => {
    for (const row of rows) {
      await withService(programOfRow(json, row), async (service) => {
        await send(service, "OrderPaid", orderOf(linesOf("1,250 + 330", "JPY"), "JPY"));
        await service.client.post(`${API}/point_allotments`, { customer_id: "c1", point_value: -10 });
        await send(service, "OrderCancelled", { order_id: "o1", cancelled_at: AT });
        const { point_balance: left, points_owed: owed = 0 } = await balanceOf(service);
        expect([left, owed]).toEqual([numberOf(row, "balance"), numberOf(row, "owed")]);
        await service.client.post(`${API}/point_allotments`, { customer_id: "c1", point_value: 20 });
        expect((await balanceOf(service)).point_balance).toBe(numberOf(row, "after the next 20 points"));
      });
    }
  });

  test.each(has("expire"))("$title", ({ json, rows }) => {
    for (const row of rows) {
      const { expiration, store } = programIn(programOfRow(json, row));
      const since = Temporal.Instant.from(cellOf(row, "awarded"));
      const activity = cellOf(row, "last activity");
      const activeAt = activity === "none" ? since : Temporal.Instant.from(activity);
      const rules = { ...expiration, timeZone: store.timeZone };
      const expiry = lotExpiry({ since, expiresAt: null }, activeAt, rules);
      const day = expiry?.toZonedDateTimeISO(store.timeZone);
      expect([day?.toPlainDate().toString(), day?.hour]).toEqual([cellOf(row, "expire"), 0]);
    }
  });

  test.each(has("tier after"))("$title", ({ json, rows }) => {
    for (const row of rows) {
      const { tiers } = programIn(programOfRow(json, row));
      const uidOf = (name: string) => tiers.rules.find((rule) => rule.name === name)?.uid ?? null;
      const assigned = {
        tierUid: uidOf(cellOf(row, "tier before")) ?? "",
        minimumTierUid: uidOf(cellOf(row, "floor")),
        skipNextCheck: false,
      };
      const { tierUid } = evaluateTier(assigned, BigInt(numberOf(row, "spent")), tiers);
      expect(tierUid).toBe(uidOf(cellOf(row, "tier after")));
    }
  });

  test.each(has("coupon of"))("$title", async ({ json, rows }) => {
    for (const row of rows) {
      await withService(programOfRow(json, row), async (service) => {
        await service.client.post(`${API}/point_allotments`, {
          customer_id: "c1",
          point_value: numberOf(row, "points before"),
        });
        const body = { customer_id: "c1", point_value: numberOf(row, "coupon of") };
        const { data } = (await service.client.post(`${API}/coupons`, body)).body;
        expect(data).toMatchObject({
          currency_value: numberOf(row, "worth"),
          expires_at: "2026-12-04T00:00:00.000000Z",
        });
        expect((await balanceOf(service)).point_balance).toBe(numberOf(row, "points after"));
      });
    }
  });
});
