import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startTestService } from "../support/service.ts";

interface Event {
  readonly delivery_key: string;
  readonly payload: { readonly customer_id?: string };
}

interface Section {
  readonly title: string;
  readonly body: unknown;
  readonly events: readonly Event[];
  readonly rows: readonly (readonly [string, string, string])[];
  readonly points: readonly (readonly [string, number])[];
}

const TEXT = readFileSync(new URL("../../docs/mapping.md", import.meta.url), "utf8");
const SECTIONS: readonly Section[] = TEXT.split(/^## /m)
  .slice(1)
  .map((text) => {
    const [body, events] = [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json = ""]) => JSON.parse(json));
    const rows = [...text.matchAll(/^\| `([^`]+)` \| `([^`]+)` \| (.+) \|$/gm)];
    const points = [...text.matchAll(/^\| `([^`]+)` \| (\d+) \|$/gm)];
    return {
      title: text.split("\n")[0] ?? "",
      ...{ body, events },
      rows: rows.map(([, theirs = "", ours = "", how = ""]) => [theirs, ours, how] as const),
      points: points.map(([, key = "", sum]) => [key, Number(sum)] as const),
    };
  });

/** The value at a path such as `lines[0].tax.minor`. */
function valueAt(value: unknown, path: string): unknown {
  const steps = path.replaceAll(/\[(\d+)\]/g, ".$1").split(".");
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], value); // cast: undefined ends it
}

/** What a body's value becomes by the words of the table; undefined: words say it, by a list of values. */
function converted(value: unknown, how: string): unknown {
  if (how.startsWith("same")) return value;
  if (how.startsWith("text")) return String(value);
  if (how.startsWith("a number")) return Number(value);
  if (how.startsWith("in cents")) return Math.round(Number(value) * 100);
  if (how.startsWith("upper case")) return String(value).toUpperCase();
  if (how.startsWith("lower case")) return String(value).toLowerCase();
  if (how.startsWith("without its sign")) return Math.abs(Number(value));
  if (how.startsWith("seconds")) return new Date(Number(value) * 1_000).toISOString().replace(".000Z", "Z");
  if (how.startsWith("RFC 2822")) return new Date(String(value)).toISOString().replace(".000Z", "Z");
  const named = new RegExp(`\`${String(value)}\`[^;]*? (?:is|are) \`(\\w+)\``).exec(how)?.[1];
  if (named === undefined) throw new Error(`nothing says what ${String(value)} becomes: ${how}`);
  return named;
}

test("each platform has a body, events, a table and points, with a refund", () => {
  expect(SECTIONS.map(({ title }) => title)).toEqual(["Square", "Stripe", "BigCommerce", "Medusa", "Commerce Layer"]);
  for (const { events, rows, points } of SECTIONS) {
    expect(rows.length).toBeGreaterThan(10);
    expect(points.map(([key]) => key)).toEqual(events.slice(1).map(({ delivery_key }) => delivery_key));
    expect(JSON.stringify(events)).toContain("OrderRefunded");
  }
});

describe.each(SECTIONS)("$title", ({ body, events, rows, points }) => {
  test.each(rows)("%s is %s: %s", (theirs, ours, how) => {
    const [key = "", path = ""] = ours.split(" ");
    const event = events.find(({ delivery_key }) => delivery_key === key);
    expect(valueAt(body, theirs)).toBeDefined();
    expect(valueAt(event?.payload, path)).toEqual(converted(valueAt(body, theirs), how));
  });

  test("its events come to the points, in their order, twice, and backwards", async () => {
    const currency = JSON.stringify(events).includes('"EUR"') ? "EUR" : "USD";
    const earning = { point_value: 1, currency_value: 100, rounding: "down" };
    const customer = events[0]?.payload.customer_id;
    for (const isBackwards of [false, true]) {
      const service = await startTestService({ program: { store: { currency }, earning } });
      const send = async (event: Event) => {
        const headers = { prefer: "wait=20, handling=strict" };
        expect((await service.client.post("/intake/events", event, headers)).status).toBe(202);
        const { body: answer } = await service.client.get(`/api/storefront/point_balance/${customer}`);
        return answer.data?.point_balance;
      };
      try {
        const sums = new Map(points);
        for (const event of isBackwards ? events.toReversed() : events) {
          const balance = await send(event);
          if (!isBackwards && sums.has(event.delivery_key)) expect(balance).toBe(sums.get(event.delivery_key));
        }
        for (const event of events) expect(await send(event)).toBe(points.at(-1)?.[1]);
      } finally {
        await service.stop();
      }
    }
  });
});
