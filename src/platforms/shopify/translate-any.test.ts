import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordedPayloads } from "../../../test/fixtures/shopify/recorded.ts";
import { STORIES } from "../../../test/fixtures/stories/all.ts";
import type { Translation } from "../platform.ts";
import { SHOPIFY_TOPICS, translate as translateDelivery } from "./translate.ts";

function translate(topic: string, body: string): Translation {
  const headers = new Map([["x-shopify-topic", topic]]);
  const receivedAt = Temporal.Instant.from("2026-05-01T00:00:00Z");
  return translateDelivery({ headers, rawBody: Buffer.from(body), receivedAt, currency: "JPY" });
}

describe("whatever the bytes, translate never throws", () => {
  const bodies = [
    ...recordedPayloads().map(({ topic, bytes }) => ({ topic, body: Buffer.from(bytes).toString("utf8") })),
    ...STORIES.flatMap(({ messages }) => messages),
  ];
  const junk = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      "",
      "0",
      -1,
      1e300,
      0.1,
      true,
      [],
      {},
      [[]],
      { shop_money: null },
      "\u0000",
      "9".repeat(400),
    ),
    fc.jsonValue(),
  );

  test("one field of a body replaced or gone", () => {
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.nat(), fc.option(junk), ({ topic, body }, place, value) => {
        const mutated = mutate(JSON.parse(body), place, value ?? undefined);
        const translation = translate(topic, JSON.stringify(mutated) ?? "");
        expect(typeof translation.ok).toBe("boolean");
        if (!translation.ok)
          expect(translation.fault.startsWith(topic) || translation.fault.startsWith("the body")).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a body under any topic, a text cut or changed", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...bodies),
        fc.constantFrom(...SHOPIFY_TOPICS.keys()),
        fc.nat(),
        fc.string({ maxLength: 3 }),
        ({ body }, topic, place, text) => {
          const cut = place % (body.length + 1);
          expect(typeof translate(topic, body).ok).toBe("boolean");
          expect(typeof translate(topic, body.slice(0, cut) + text + body.slice(cut + text.length)).ok).toBe("boolean");
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Replaces the n-th field or element, counted through the whole value; undefined removes a field. */
function mutate(root: unknown, place: number, value: unknown): unknown {
  const places: { readonly owner: Record<string, unknown>; readonly name: string }[] = [];
  const collect = (owner: unknown): void => {
    if (typeof owner !== "object" || owner === null) return;
    // cast: objects and arrays both take string keys, which is all that is done with them
    const fields = owner as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      places.push({ owner: fields, name });
      collect(fields[name]);
    }
  };
  collect(root);
  const chosen = places[place % Math.max(1, places.length)];
  if (chosen === undefined) return value;
  chosen.owner[chosen.name] = value;
  return root;
}
