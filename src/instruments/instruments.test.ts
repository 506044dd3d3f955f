import fc from "fast-check";
import { expect, test } from "vitest";
import { createHistogram, observe } from "./histogram.ts";
import { countDeliveryAttempt, countRequest, createInstruments, routeCounts } from "./instruments.ts";
import { createRequestIds, givenRequestId } from "./request-scope.ts";
import { formatTraceparent, parseTraceparent } from "./tracer.ts";

test("a histogram counts each value once, at the first bound that is not below it", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 12 })), (values) => {
      const histogram = createHistogram([1, 5, 10]);
      for (const value of values) observe(histogram, value);
      const between = (from: number, to: number) => values.filter((value) => value > from && value <= to).length;
      expect(histogram.counts).toEqual([between(-1, 1), between(1, 5), between(5, 10), between(10, 12)]);
      expect(histogram.sum).toBe(values.reduce((a, b) => a + b, 0));
    }),
  );
});

test("requests are counted by route and status, attempts by what came of them", () => {
  const instruments = createInstruments();
  const counts = routeCounts(instruments, "GET", "/a/:id");
  countRequest(counts, 200, 4);
  countRequest(counts, 200, 20_000);
  countRequest(counts, 404, 5);
  expect(routeCounts(instruments, "GET", "/a/:id")).toBe(counts);
  expect([...counts.byStatus]).toEqual([
    [200, 2],
    [404, 1],
  ]);
  expect([counts.seconds.counts[0], counts.seconds.counts.at(-1)]).toEqual([2, 1]);
  for (const status of [200, 201, null, 500]) countDeliveryAttempt(instruments, "t", status, 1);
  expect(instruments.attempts.get("t")?.byResult).toEqual({ acknowledged: 1, refused: 2, no_answer: 1 });
});

test("an id of a request is taken only where it can break neither a line nor a header", () => {
  const taken = ["a", "7f3b-11", "x".repeat(128), '<"weird">{}'];
  expect(taken.map(givenRequestId)).toEqual(taken);
  const others = [undefined, "", "x".repeat(129), "a b", "a\tb", "a\nb", "é", "a\u0000", ["a", "b"]];
  expect(others.map(givenRequestId)).toEqual(others.map(() => undefined));
  const next = createRequestIds("p");
  expect(new Set(Array.from({ length: 1_000 }, next)).size).toBe(1_000);
});

test("a trace context is read as W3C writes it, and nothing else is", () => {
  const text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const context = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 1 };
  expect(parseTraceparent(text)).toEqual(context);
  expect(parseTraceparent(`01${text.slice(2)}-later`)).toEqual(context);
  expect(formatTraceparent(context)).toBe(text);
  const wrong = [null, undefined, "", `ff${text.slice(2)}`, text.toUpperCase(), text.slice(0, -1), `${text}x`];
  const zeros = [text.replace(/0af\w+/, "0".repeat(32)), text.replace("b7ad6b7169203331", "0".repeat(16))];
  expect([...wrong, ...zeros, `${text}-${"x".repeat(300)}`].map(parseTraceparent)).toEqual(
    Array.from({ length: 10 }, () => null),
  );
});
