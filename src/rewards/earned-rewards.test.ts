import { describe, expect, test } from "vitest";
import type { CustomerFacts } from "../platforms/neutral-events.ts";
import { type CustomerStatement, earnedRewards } from "./earned-rewards.ts";

const at = (day: number) => Temporal.Instant.from(`2026-03-${String(day).padStart(2, "0")}T00:00:00Z`);
const UNKNOWN = { acceptsMarketing: null, accountEnabled: null, consentAt: null, deletedAt: null };

/** What is earned on the 20th, as words. */
function earned(
  facts: Omit<CustomerFacts, "customerId">,
  {
    before = {},
    after = {},
    test = false,
  }: {
    before?: Partial<CustomerStatement["before"]>;
    after?: Partial<CustomerStatement["customer"]>;
    test?: boolean;
  } = {},
): string[] {
  const event: CustomerStatement["event"] = {
    type: "CustomerUpserted",
    platform: "test",
    subject: "customer/1",
    factKey: "customer/1",
    occurredAt: at(20),
    receivedAt: at(20),
    sourceTopic: "",
    test,
    payload: { customerId: "1", ...facts },
  };
  const reported = { event, before: { ...UNKNOWN, ...before }, customer: { ...UNKNOWN, ...after } };
  return earnedRewards(reported).map(({ kind, at: instant }) => `${kind} ${instant.toString().slice(8, 10)}`);
}

describe("what a customer's event earns", () => {
  test("an account that was created: a signup of that day", () => {
    expect(earned({ createdAt: at(3) })).toEqual(["signup 03"]);
    expect(earned({ name: "Hanako" })).toEqual([]);
  });

  test("an account that was disabled and is enabled: a signup of now", () => {
    const before = { accountEnabled: false };
    const after = { accountEnabled: true };
    expect(earned({ createdAt: at(3), accountEnabled: true }, { before, after })).toEqual(["signup 20"]);
    expect(earned({ accountEnabled: true }, { after })).toEqual([]);
  });

  test("a consent: an opt-in of its time; without one only where the customer had said no", () => {
    expect(earned({ acceptsMarketing: true, consentUpdatedAt: at(5) })).toEqual(["marketingOptIn 05"]);
    expect(earned({ acceptsMarketing: false, consentUpdatedAt: at(5) })).toEqual([]);
    expect(earned({ acceptsMarketing: true })).toEqual([]);
    expect(earned({ acceptsMarketing: true }, { before: { acceptsMarketing: false } })).toEqual(["marketingOptIn 20"]);
  });

  test("a disabled account: nothing, until it is enabled", () => {
    const reported = { createdAt: at(3), acceptsMarketing: true, consentUpdatedAt: at(5) };
    const disabled = { accountEnabled: false, acceptsMarketing: true, consentAt: at(5) };
    expect(earned(reported, { after: disabled })).toEqual([]);
    expect(
      earned({ accountEnabled: true }, { before: disabled, after: { ...disabled, accountEnabled: true } }),
    ).toEqual(["signup 20", "marketingOptIn 05"]);
  });

  test("a test event, a deleted customer: nothing", () => {
    expect(earned({ createdAt: at(3) }, { test: true })).toEqual([]);
    expect(earned({ createdAt: at(3) }, { after: { deletedAt: at(10) } })).toEqual([]);
  });
});
