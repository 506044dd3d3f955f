import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { STATEMENT_COLUMNS } from "../exports/statement.ts";
import { createSplitter } from "../imports/read/splitter.ts";
import type { ExpiryRules } from "../ledger/expiry/expiry.ts";
import { columnsOf, type Member, missingFields, readMember, vendorOf } from "./member.ts";
import { VENDORS } from "./vendors/index.ts";

const FIXTURES = join(import.meta.dirname, "../../test/fixtures/vendors");
const NOW = Temporal.Instant.from("2026-11-24T00:00:00Z");
const RULES: ExpiryRules = {
  ...{ delayMonths: null, couponsExtend: false, returnedDays: 30, shorteningDays: 0, shortenedAt: null },
  ...{ mode: "sliding", sweep: "daily", timeZone: "Asia/Tokyo" },
};

function readFixture(name: string): { readonly header: readonly string[]; readonly members: readonly Member[] } {
  const rows = createSplitter(",").push(readFileSync(join(FIXTURES, `${name}.csv`), "utf8"), true);
  if (!Array.isArray(rows)) throw new Error(rows.code);
  const [{ cells: header } = { cells: [] }, ...others] = rows;
  const vendor = VENDORS.find((each) => each.name === name);
  if (vendor === undefined) throw new Error(`there is no ${name}`);
  const columns = columnsOf(vendor, header);
  const reading = { vendor, columns, headerCount: header.length, now: NOW, currency: "JPY", rules: RULES };
  const members = others.map((row, i) => {
    const read = readMember({ ...row, n: i + 1 }, reading);
    if (!("points" in read)) throw new Error(JSON.stringify(read));
    return read;
  });
  return { header, members };
}

/** The sums of each app's file, and two members of it. */
const EXPECTED: Readonly<Record<string, readonly [points: bigint, rows: number, first: object, second: object]>> = {
  smile: [
    ...([52_740n, 3] as const),
    {
      email: "jane@doe.example",
      name: "Jane Doe",
      birthday: "--05-27",
      acceptsMarketing: true,
      tier: "Gold",
      id: null,
    },
    { birthday: "1990-10-24", acceptsMarketing: false, points: 120n },
  ],
  loyaltylion: [
    ...([1_420n, 3] as const),
    { id: "7001", email: "known@example.com", points: 120n, tier: "Gold" },
    { id: "7002", name: "Nguyen, Anh", points: 1_300n },
  ],
  yotpo: [
    ...([1_250n, 3] as const),
    { name: "Jane Doe", birthday: "--05-27" },
    { name: "Taro Yamada", birthday: "1990-10-24", points: 1_000n },
  ],
  rivo: [
    ...([940n, 2] as const),
    { birthday: "1988-02-29", tier: "Gold", tierUntil: null },
    { birthday: "--06-30", tier: null },
  ],
  bon: [...([100n, 2] as const), { id: "7003", email: "jane@doe.example" }, { id: "7004", email: null, points: 85n }],
  joy: [
    ...([100n, 2] as const),
    { tier: "Gold", birthday: "--03-03" },
    { name: "山田 太郎", tier: "Bronze", birthday: "--12-24" },
  ],
  stamped: [
    ...([5_010n, 2] as const),
    { name: "John Doh", tier: "Gold", tierUntil: Temporal.Instant.from("2031-06-14T15:00:00Z") },
    { tier: "Gold", tierUntil: null },
  ],
  growave: [...([104n, 2] as const), { id: "7005", points: 4n, birthday: "1990-01-05" }, { points: 100n }],
  easypoints: [
    ...([1_200n, 2] as const),
    { name: "山田 花子", tier: "ゴールド", expiresAt: Temporal.Instant.from("2031-03-31T15:00:00Z") },
    { points: 0n, expiresAt: null },
  ],
  pointkeeper: [
    ...([350n, 2] as const),
    {
      ...{ id: "7007", spentMinor: 12_345n, earnedAt: Temporal.Instant.from("2025-10-31T15:00:00Z") },
      tierUntil: Temporal.Instant.from("2031-12-31T15:00:00Z"),
    },
    { spentMinor: null, earnedAt: null },
  ],
};

describe("a file of the shape of", () => {
  test.each(VENDORS.map(({ name }) => [name]))("%s is read to the sum that it states", (name) => {
    const { members } = readFixture(name);
    const [points, rows, ...stated] = EXPECTED[name] ?? [0n, 0];
    expect([members.reduce((sum, member) => sum + member.points, 0n), members.length]).toEqual([points, rows]);
    for (const [i, expected] of stated.entries()) expect(members[i]).toMatchObject(expected);
  });

  test.each(VENDORS.map(({ name }) => [name]))("%s is recognised by its header and its name", (name) => {
    expect(vendorOf(readFixture(name).header, `export from ${name}.csv`)?.name).toBe(name);
  });
});

test("every app has a file of its shape, and a file of anything else is no app's", () => {
  const files = readdirSync(FIXTURES).map((file) => file.replace(".csv", ""));
  expect(files.filter((name) => !name.includes("-")).toSorted()).toEqual(VENDORS.map(({ name }) => name).toSorted());
  for (const header of [["colour", "size"], ["email", "name"], ["points"], []])
    expect(vendorOf(header, "points of loyaltylion.csv"), header.join()).toBeUndefined();
});

test("an app is recognised by its header alone", () => {
  const names = [
    "smile",
    "bon",
    "growave",
    "loyaltylion",
    "yotpo",
    "rivo",
    "joy",
    "stamped",
    "easypoints",
    "pointkeeper",
  ];
  const wrong = names.filter((name) => vendorOf(readFixture(name).header, "members.csv")?.name !== name);
  expect(wrong).toEqual([]);
});

test("easyPoints' files in English and another app's in Japanese are recognised and read", () => {
  const english = ["Customer ID", "Email", "First name", "Last name", "Point balance", "Expires at", "Tier"];
  expect(vendorOf(english, "members.csv")?.name).toBe("easypoints");
  expect(vendorOf(["Email", "Points", "Expiration extension"], "members.csv")?.name).toBe("easypoints");
  const japanese = ["氏名", "メールアドレス", "ポイント残高", "Points Spent", "誕生日"];
  const yotpo = vendorOf(japanese, "yotpo.csv");
  expect(yotpo?.name).toBe("yotpo");
  expect(yotpo === undefined ? {} : columnsOf(yotpo, japanese)).toEqual({ name: 0, email: 1, points: 2, birthday: 4 });
  expect(vendorOf(["メールアドレス", "残高"], "members.csv")?.name).toBe("easypoints");
});

describe("our own files", () => {
  test.each([
    ["a statement", STATEMENT_COLUMNS, { id: 0, email: 1, name: 2, tier: 3, points: 12, expires_at: 13 }],
    [
      "a segment",
      ["Id", "Name", "Email", "Tier", "Points", "Orders", "Spend", "Last order"],
      { id: 0, name: 1, email: 2, tier: 3, points: 4 },
    ],
  ] as const)("%s is recognised and read", (_, header, columns) => {
    const vendor = vendorOf(header, "file.csv");
    expect(vendor?.name).toBe("pointkeeper");
    expect(vendor === undefined ? {} : columnsOf(vendor, header)).toEqual(columns);
  });
});

describe("the line of totals", () => {
  const vendor = VENDORS.find(({ name }) => name === "growave") ?? VENDORS[0];
  const header = ["Customer ID", "Email", "Points"];
  const read = (...cells: string[]) => {
    if (vendor === undefined) throw new Error("there is no app");
    const reading = {
      vendor,
      columns: columnsOf(vendor, header),
      headerCount: 3,
      now: NOW,
      currency: "JPY",
      rules: RULES,
    };
    return readMember({ n: 1, line: 2, cells }, reading);
  };

  test.each(["Total", "TOTALS:", "Grand total", "合計", "Sum"])("%s is nobody's id", (id) => {
    expect(read(id, "", "500")).toMatchObject([{ code: "customer_missing", field: "email" }]);
  });

  test("an id that begins like one is an id", () => {
    expect(read("Totally-1", "", "500")).toMatchObject({ id: "Totally-1", points: 500n });
    expect(read("Total", "total@example.com", "5")).toMatchObject({ id: "Total", email: "total@example.com" });
  });
});

describe("every app", () => {
  test.each(VENDORS)("$name says where its names are known from, and when that was read", (vendor) => {
    expect(vendor.source.text.length).toBeGreaterThan(10);
    expect(vendor.source.readOn).toMatch(/^2026-\d{2}-\d{2}$/);
    expect(vendor.leavesOut.length).toBeGreaterThan(0);
    const names = Object.values(vendor.headers).flat();
    expect(
      names.filter(
        (name) =>
          name !==
          name
            .normalize("NFKC")
            .toLowerCase()
            .replace(/[\s_\-.]/g, ""),
      ),
    ).toEqual([]);
    expect(missingFields(columnsOf(vendor, ["Email", "Points"]))).toEqual([]);
  });
});
