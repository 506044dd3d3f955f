import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildCustomer } from "../../../demo/payloads/customer-payload.ts";
import { writeJson } from "../../../demo/payloads/platform-json.ts";
import { backFill } from "../../../src/platform-sync/back-fill.ts";
import { pendingOrder, product } from "../../fixtures/stories/story.ts";
import { type PlatformFlow, startPlatformFlow } from "../../support/platform-flow.ts";

const BEGINNING = Temporal.Instant.from("2000-01-01T00:00:00Z");

let flow: PlatformFlow;
let log: string[];
beforeEach(async () => {
  log = [];
  flow = await startPlatformFlow({
    now: "2026-03-02T12:00:00Z",
    config: { platform: "shopify" },
    logLevel: "warn",
    log: (line) => void log.push(line),
  });
});
afterEach(async () => {
  expect(flow.platform.faults).toEqual([]);
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

function shelve(count: number): void {
  for (let n = 1; n <= count; n++) {
    const { customer } = pendingOrder(String(8_200_000_000_000 + n * 1_000), "JPY", [product(String(n), 1_000n, 1)]);
    if (customer === null) throw new Error("the order has no customer");
    const updatedAt = Temporal.PlainDate.from("2020-03-01").add({ days: n }).toString().concat("T00:00:00+00:00");
    flow.platform.shelf.customers.push(writeJson(buildCustomer({ ...customer, updatedAt })));
  }
}

describe("the history of customers", () => {
  const readCustomers = () =>
    backFill(flow.deps, flow.port.history, {
      ...{ resource: "customers", since: BEGINNING, signal: new AbortController().signal },
    });
  const starts = () => flow.platform.calls.filter((call) => call === "bulkOperationRunQuery").length;
  const known = async () =>
    (await flow.deps.db.query<{ birthday: string }>("select birthday from customer")).map(({ birthday }) => birthday);

  test("comes by one bulk operation, birthdays included, and is read once", async () => {
    shelve(7);
    flow.platform.bulk.polls = 3;
    expect(await readCustomers()).toMatchObject({ lines: 7, fresh: 7, failed: 0 });
    expect([starts(), await known()]).toEqual([1, Array(7).fill("1990-05-17")]);
    expect(await readCustomers()).toMatchObject({ lines: 0 }); // nothing changed since the operation was made
    expect(starts()).toBe(2);
  });

  test("goes on within the result where the connection broke", async () => {
    shelve(260);
    flow.platform.bulk.downloads.push("cut");
    expect(await readCustomers()).toMatchObject({ lines: 260, fresh: 260 });
    expect([starts(), (await known()).length]).toEqual([1, 260]);
  });

  test("is started again where the operation failed or its result is gone, and not for ever", async () => {
    shelve(2);
    flow.platform.bulk.endings.push("FAILED");
    flow.platform.bulk.downloads.push("gone");
    expect(await readCustomers()).toMatchObject({ fresh: 2 });
    expect(starts()).toBe(3);
    flow.platform.bulk.endings.push(...Array(20).fill("EXPIRED"));
    await expect(readCustomers()).rejects.toThrow(/gave no result: EXPIRED/);
  });

  test("is started again where the storage says that its address is too old", async () => {
    shelve(2);
    flow.platform.bulk.downloads.push("expired");
    expect([await readCustomers(), starts()]).toMatchObject([{ fresh: 2 }, 2]);
  });

  test("the log has no URL of a result, which is all that is needed to read the customers", async () => {
    shelve(2);
    flow.platform.bulk.downloads.push("gone");
    await readCustomers();
    expect(log.join("")).toContain("its result answered 404");
    expect(log.join("")).not.toContain("/bulk/");
  });

  test("a refusal that is no expiry starts nothing again, and its status is reported", async () => {
    shelve(2);
    flow.platform.bulk.downloads.push(...Array<"refused">(4).fill("refused"));
    await expect(readCustomers()).rejects.toThrow(/answered 400/);
    expect(await readCustomers()).toMatchObject({ fresh: 2 });
    expect(starts()).toBe(1);
  });

  test("a run that was killed waits for the operation that it began", async () => {
    shelve(3);
    flow.platform.fate = (operation) => (operation === "node" ? "lost before" : "done");
    await expect(readCustomers()).rejects.toThrow();
    flow.platform.fate = () => "done";
    expect(await readCustomers()).toMatchObject({ fresh: 3 });
    expect(starts()).toBe(1);
  });
});
