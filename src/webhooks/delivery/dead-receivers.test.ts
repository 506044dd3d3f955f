import { expect, test } from "vitest";
import { noDeadReceivers, readsApartMs, recordHealth, takeTurn } from "./dead-receivers.ts";

test("turns come one after the other, and are not saved up", () => {
  const dead = noDeadReceivers();
  expect([takeTurn(dead, 1_000), takeTurn(dead, 1_000), takeTurn(dead, 1_010)]).toEqual([0, 25, 40]);
  expect([takeTurn(dead, 9_000), takeTurn(dead, 9_000)]).toEqual([0, 25]);
});

test("dead receivers read less often the more they are, a healthy one as often as ever", () => {
  const dead = noDeadReceivers();
  const receivers = Array.from({ length: 1_000 }, () => ({}));
  const healthy = {};
  for (const receiver of receivers.slice(0, 100)) recordHealth(dead, receiver, true);
  expect(readsApartMs(dead, receivers[0] ?? healthy)).toBe(2_000);
  for (const receiver of receivers) recordHealth(dead, receiver, true);
  expect([readsApartMs(dead, receivers[0] ?? healthy), readsApartMs(dead, healthy)]).toEqual([5_000, 20]);
  for (const receiver of receivers.slice(1)) recordHealth(dead, receiver, false);
  expect(readsApartMs(dead, receivers[0] ?? healthy)).toBe(20);
});
