import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Problem } from "../../../src/problems.ts";
import { applyProgram } from "../../../src/program/apply-program.ts";
import { ensureProgram } from "../../../src/program/ensure-program.ts";
import { readProgram } from "../../../src/program/read-program.ts";
import { readProgramAsOf } from "../../../src/program/read-program-as-of.ts";
import { readProgramVersion } from "../../../src/program/read-program-version.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let now = Temporal.Instant.from("2026-01-01T00:00:00.000001Z");

const at = (text: string) => Temporal.Instant.from(text);

function deps() {
  return {
    db: database.db,
    clock: { now: () => now },
    random: { uid: () => randomUUID(), bytes: (length: number) => Buffer.alloc(length), fraction: () => 0.5 },
  };
}

function apply(document: unknown, isDryRun = false) {
  return applyProgram(deps(), { document, author: "test", isDryRun });
}

async function faultsOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Problem ? { code: error.code, pointers: error.faults.map(({ pointer }) => pointer) } : error;
}

async function countVersions(): Promise<number> {
  const rows = await database.db.query<{ version: number }>("select version from program_version");
  return rows.length;
}

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.drop();
});

beforeEach(async () => {
  now = at("2026-01-01T00:00:00.000001Z");
  await database.owner.execute("delete from program_version");
  await ensureProgram(deps());
});

describe("the program's versions", () => {
  test("the first start makes version 1 of the defaults, once, however many nodes start", async () => {
    await database.owner.execute("delete from program_version");
    await Promise.all(Array.from({ length: 10 }, () => ensureProgram(deps())));
    expect(await countVersions()).toBe(1);
    const program = await readProgram(database.db);
    expect(program).toMatchObject({
      version: 1,
      store: { currency: "JPY" },
      expiration: { delayMonths: 12, shortenedAt: null },
    });
    expect(program.tiers.rules).toMatchObject([
      { name: "Bronze", isDefault: true, pointValue: 1n, currencyValue: 100n },
    ]);
  });

  test("a part is laid over what is valid and kept as a version with author and time", async () => {
    now = at("2026-02-01T00:00:00Z");
    const applied = await apply({ earning: { pending_days: 7 } });
    expect(applied).toMatchObject({
      version: 2,
      changes: [{ pointer: "/earning/pending_days", before: 0, after: 7 }],
      movers: null,
    });
    expect(await readProgram(database.db)).toMatchObject({ version: 2, earning: { pendingDays: 7, rounding: "up" } });
    const rows = await database.db.query(
      "select version, author, created_at::text as at from program_version order by version",
    );
    expect(rows).toEqual([
      { version: 1, author: "pointkeeper", at: "2026-01-01 00:00:00.000001+00" },
      { version: 2, author: "test", at: "2026-02-01 00:00:00+00" },
    ]);
  });

  test("what changes nothing makes no version, nor does a dry run", async () => {
    const { document } = await apply({});
    expect((await apply(document)).version).toBe(1);
    expect(await apply({ rewards: { signup: 5 } }, true)).toMatchObject({
      version: 2,
      document: { rewards: { signup: 5 } },
    });
    expect(await countVersions()).toBe(1);
    expect((await readProgram(database.db)).rewards.signup).toBe(0n);
  });

  test("faults are told all at once and nothing is kept", async () => {
    const faulty = apply({ store: { currency: "yen" }, rewards: { signup: -1, gift: 1 }, campaigns: [{}] });
    expect(await faultsOf(faulty)).toEqual({
      code: "invalid",
      pointers: [
        "/store/currency",
        "/campaigns/0/name",
        "/campaigns/0/starts_at",
        "/campaigns/0/ends_at",
        "/campaigns/0/point_value",
        "/rewards/gift",
        "/rewards/signup",
      ],
    });
    expect(await countVersions()).toBe(1);
  });

  test("applied at once, each makes its version and none is lost", async () => {
    const sections = ["signup", "marketing_opt_in", "birthday"];
    await Promise.all(sections.map((field, index) => apply({ rewards: { [field]: index + 1 } })));
    const program = await readProgram(database.db);
    expect(program).toMatchObject({ version: 4, rewards: { signup: 1n, marketingOptIn: 2n, birthday: 3n } });
  });

  test("tiers keep their uids from version to version", async () => {
    const [bronze] = (await readProgram(database.db)).tiers.rules;
    await apply({ tiers: { rules: [{ name: "Gold", currency_spent_requirement: 9 }, { name: "Bronze" }] } });
    const [first, gold] = (await readProgram(database.db)).tiers.rules;
    expect(first?.uid).toBe(bronze?.uid);
    await apply({
      tiers: { rules: [{ uid: gold?.uid, name: "Ouro", currency_spent_requirement: 8 }, { name: "Bronze" }] },
    });
    expect((await readProgram(database.db)).tiers.rules.map(({ uid, name }) => [uid, name])).toEqual([
      [bronze?.uid, "Bronze"],
      [gold?.uid, "Ouro"],
    ]);
  });

  test("the fields of the kept document keep their order", async () => {
    const { document } = await apply({ rewards: { signup: 1 } });
    const rows = await database.db.query<{ document: object }>(
      "select document from program_version where version = 2",
    );
    expect(Object.keys(rows[0]?.document ?? {})).toEqual(Object.keys(document));
  });
});

describe("what was valid when", () => {
  test("an instant has the version of its time, before the first the first", async () => {
    now = at("2026-02-01T00:00:00Z");
    await apply({ rewards: { signup: 2 } });
    now = at("2026-03-01T00:00:00Z");
    await apply({ rewards: { signup: 3 } });
    const signupAt = async (text: string) => (await readProgramAsOf(database.db, at(text))).rewards.signup;
    expect(await signupAt("2025-01-01T00:00:00Z")).toBe(0n);
    expect(await signupAt("2026-01-31T23:59:59.999999Z")).toBe(0n);
    expect(await signupAt("2026-02-01T00:00:00Z")).toBe(2n);
    expect(await signupAt("2026-02-28T00:00:00Z")).toBe(2n);
    expect(await signupAt("2030-01-01T00:00:00Z")).toBe(3n);
    expect((await readProgramVersion(database.db, 2)).rewards.signup).toBe(2n);
    await expect(readProgramVersion(database.db, 4)).rejects.toThrow("no such version");
  });

  test("a transaction that is rolled back leaves nothing in the cache that others see", async () => {
    const failed = applyProgram(deps(), {
      document: { rewards: { signup: 9 } },
      author: "test",
      isDryRun: false,
      movers: async (tx) => {
        expect((await readProgram(tx)).rewards.signup).toBe(9n);
        throw new Error("no");
      },
    });
    await expect(failed).rejects.toThrow("no");
    expect((await readProgram(database.db)).rewards.signup).toBe(0n);
    await apply({ rewards: { signup: 8 } });
    expect((await readProgram(database.db)).rewards.signup).toBe(8n);
    expect((await readProgramVersion(database.db, 2)).rewards.signup).toBe(8n);
  });

  test("another database's version of the same number is another program", async () => {
    const other = await createTestDatabase();
    try {
      await ensureProgram({ ...deps(), db: other.db });
      await applyProgram(
        { ...deps(), db: other.db },
        { document: { rewards: { signup: 4 } }, author: "test", isDryRun: false },
      );
      await apply({ rewards: { signup: 5 } });
      for (const [{ db }, signup] of [
        [database, 5n],
        [other, 4n],
        [database, 5n],
      ] as const) {
        expect((await readProgram(db)).rewards.signup).toBe(signup);
        expect((await readProgramVersion(db, 2)).rewards.signup).toBe(signup);
        expect((await readProgramAsOf(db, now)).rewards.signup).toBe(signup);
      }
    } finally {
      await other.drop();
    }
  });
});

test("when the delay became shorter is kept, and stays until it does again", async () => {
  const shortenedAt = async () => (await readProgram(database.db)).expiration.shortenedAt?.toString();
  now = at("2026-02-01T00:00:00Z");
  await apply({ expiration: { delay_months: 24 } });
  expect(await shortenedAt()).toBeUndefined();
  now = at("2026-03-01T00:00:00Z");
  await apply({ expiration: { delay_months: 6 } });
  expect(await shortenedAt()).toBe("2026-03-01T00:00:00Z");
  now = at("2026-04-01T00:00:00Z");
  await apply({ rewards: { signup: 1 } });
  expect(await shortenedAt()).toBe("2026-03-01T00:00:00Z");
  now = at("2026-05-01T00:00:00Z");
  await apply({ expiration: { mode: "per_allotment" } });
  expect(await shortenedAt()).toBe("2026-05-01T00:00:00Z");
});

test("the caller learns of both programs in the transaction", async () => {
  const applied = await applyProgram(deps(), {
    document: { rewards: { signup: 1 } },
    author: "test",
    isDryRun: true,
    movers: (_, { before, after, isDryRun }) =>
      Promise.resolve([before.rewards.signup, after.rewards.signup, isDryRun]),
  });
  expect(applied.movers).toEqual([0n, 1n, true]);
});
