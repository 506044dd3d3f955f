import { readFile, writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  edit,
  forge,
  isOf,
  type NewStore,
  startNewStore,
  type WrittenStore,
  writeRichStore,
} from "../../support/store-file.ts";

let store: WrittenStore;
let target: NewStore;
beforeAll(async () => {
  store = await writeRichStore();
  target = await startNewStore();
});
afterAll(async () => {
  await target.stop();
  await store.remove();
});

const forged = () => store.place("forged.jsonl");

/** Every row of the store is as it was before the file. */
let before: unknown;
const all = async () =>
  (
    await target.database.owner.query(
      `select (select count(*) from customer) as customers, (select count(*) from allotment) as allotments,
        (select count(*) from audit_entry) as entries, (select uid from shop) as shop, (select uid from ledger_key) as key`,
    )
  )[0];
beforeEach(async () => {
  before = await all();
});
afterEach(async () => {
  expect(await all()).toEqual(before);
});

describe("a file that is not whole or not true changes nothing", () => {
  test.each([
    ["without its last line", (text: string) => text.slice(0, text.lastIndexOf('{"type":"end"')), /was cut/],
    ["cut within a line", (text: string) => text.slice(0, -200), /ends within this line: it was cut/],
    [
      "cut in the middle",
      (text: string) => text.slice(0, text.indexOf(":", text.length / 2)),
      /ends within this line: it was cut/,
    ],
    ["one letter changed", (text: string) => text.replace("Customer 4", "Customer 5"), /damaged or was changed/],
    ["a line taken away", (text: string) => text.replace(/\{"type":"lot".*\n/, ""), /damaged or was changed/],
    ["a line behind the end", (text: string) => `${text}{"type":"lot","data":{}}\n`, /behind the type end/],
    ["empty", () => "", /is empty/],
    ["CSV", () => "id,points\n1,2\n", /expected a JSON object/],
    ["a newer schema", (text: string) => text.replace(/"schema":\d+/, '"schema":9999'), /the schema 9999/],
    ["another format", (text: string) => text.replace('"format":1', '"format":2'), /format is 2/],
    ["no header", (text: string) => text.slice(text.indexOf("\n") + 1), /expected the type header/],
    ["deep JSON", (text: string) => `${text.split("\n")[0]}\n${"[".repeat(100_000)}`, /limit of 72 depth/],
    ["no UTF-8", (text: string) => Buffer.from(text).fill(0xff, 400, 404), /UTF-8/],
  ])("%s", async (_, damage, reason) => {
    await writeFile(forged(), damage(await readFile(store.place("secrets.jsonl"), "utf8")));
    await expect(target.load(forged())).rejects.toThrow(reason);
  });

  test.each<[string, (lines: string[]) => void, RegExp]>([
    [
      "an unknown field",
      (lines) =>
        edit(lines, "lot", (data) => {
          data["x; drop"] = 1;
        }),
      /data\.x; drop: a lot has no such field/,
    ],
    ["an unknown type", (lines) => lines.push('{"type":"pg_authid","data":{}}'), /"pg_authid" is not a type/],
    [
      "a text for points",
      (lines) =>
        edit(lines, "lot", (data) => {
          data["remaining"] = "many";
        }),
      /Line \d+: the lot does not fit/,
    ],
    [
      "a field that is missing",
      (lines) =>
        edit(lines, "point_allotment", (data) => {
          delete data["version"];
        }),
      /does not fit: null value in column "version"/,
    ],
    [
      "two customers of one id",
      (lines) => lines.push(lines.find(isOf("customer_alias")) ?? ""),
      /contradict one another/,
    ],
    [
      "points more in a balance",
      (lines) =>
        edit(lines, "point_balance", (data) => {
          data["ledger_points"] = 5_000_001;
        }),
      /does not hold: .*customer/,
    ],
    ["an allotment and all its sums", forgePoints, /does not hold: chains/],
    [
      "an entry of the audit log",
      (lines) =>
        edit(lines, "audit_entry", (data) => {
          data["actor_name"] = "Nobody";
        }),
      /does not hold: .*audit/,
    ],
    [
      "no mark of the ledger",
      (lines) => lines.splice(lines.findIndex(isOf("ledger_mark")), 1),
      /one line of the type ledger_mark/,
    ],
  ])("forged, with a last line that fits: %s", async (_, damage, reason) => {
    await forge(store.place("secrets.jsonl"), forged(), damage);
    await expect(target.load(forged())).rejects.toThrow(reason);
  });

  test("a file that changes between the two readings", async () => {
    const checked = await target.check(store.place("plain.jsonl"));
    await forge(store.place("plain.jsonl"), forged(), (lines) =>
      edit(lines, "customer", (data) => {
        data["name"] = "Other";
      }),
    );
    await expect(target.load(forged(), { checked })).rejects.toThrow(/was changed while/);
  });
});

/** Ten points more for a customer with one allotment, in all places at once: only the chain tells. */
function forgePoints(lines: string[]): void {
  const uid = JSON.parse(
    lines.find((line) => isOf("point_allotment")(line) && line.includes('"point_value":12000,')) ?? "",
  ).data.customer_uid;
  const ten =
    (...fields: string[]) =>
    (data: Record<string, unknown>) => {
      for (const field of fields) data[field] = Number(data[field]) + 10;
    };
  edit(lines, "point_allotment", ten("point_value", "balance_after"), uid);
  edit(lines, "point_balance", ten("ledger_points"), uid);
  edit(lines, "lot", ten("remaining"), uid);
}
