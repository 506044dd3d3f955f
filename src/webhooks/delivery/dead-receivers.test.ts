import { expect, test } from "vitest";
import { noDeadReceivers, recordHealth, takeRead, takeTurn } from "./dead-receivers.ts";

test("turns come one after the other, and are not saved up", () => {
  const dead = noDeadReceivers();
  expect([takeTurn(dead, 1_000), takeTurn(dead, 1_000), takeTurn(dead, 1_010)]).toEqual([0, 100, 190]);
  expect([takeTurn(dead, 9_000), takeTurn(dead, 9_000)]).toEqual([0, 100]);
});

test("dead receivers read one after the other, less often the more they are, a healthy one as often as ever", () => {
  const dead = noDeadReceivers();
  const receivers = Array.from({ length: 1_000 }, () => ({}));
  const [first = {}] = receivers;
  const healthy = {};
  const waits = (some: readonly object[], nowMs: number) => some.map((one) => takeRead(dead, one, nowMs, nowMs));
  const evenly = (count: number, apartMs: number) => Array.from({ length: count }, (_, n) => n * apartMs);
  for (const receiver of receivers.slice(0, 100)) recordHealth(dead, receiver, true);
  expect(waits(receivers.slice(0, 100), 1_000)).toEqual(evenly(100, 20));
  expect(takeRead(dead, first, 1_000, 1_000)).toBe(2_000);
  for (const receiver of receivers) recordHealth(dead, receiver, true);
  expect(waits(receivers, 10_000)).toEqual(evenly(1_000, 5));
  expect(takeRead(dead, first, 10_000, 10_000)).toBe(5_000);
  expect([takeRead(dead, healthy, 10_000, 10_000), takeRead(dead, healthy, 10_000, 10_015)]).toEqual([20, 5]);
  expect(takeRead(dead, healthy, 10_000, 10_030)).toBe(0);
  for (const receiver of receivers.slice(1)) recordHealth(dead, receiver, false);
  expect(waits([first, first, first], 20_000)).toEqual([0, 20, 40]); // not saved up
});
