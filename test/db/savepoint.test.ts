import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Tx } from "../../src/db/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.owner.execute("create table scrap (n integer primary key)");
});
beforeEach(() => database.owner.execute("truncate scrap"));
afterAll(() => database.drop());

const put = (tx: Tx, n: number) => tx.execute("insert into scrap (n) values ($1)", [n]);
const rows = async () =>
  (await database.owner.query<{ n: number }>("select n from scrap order by n")).map(({ n }) => n);
const caught = (work: Promise<unknown>) =>
  work.then(
    () => "nothing",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** What was written and run: 1 before, 2 in the savepoint, 3 in one that is undone, 4 in one within it, 5 behind. */
async function story(tx: Tx, said: string[], fault: (inner: Tx) => Promise<never>): Promise<string> {
  await put(tx, 1);
  tx.afterCommit(() => said.push("1"));
  await tx.savepoint(async (inner) => {
    await put(inner, 2);
    inner.afterCommit(() => said.push("2"));
    inner.whenUndone(() => said.push("2 undone"));
  });
  const failure = await caught(
    tx.savepoint(async (inner) => {
      inner.whenUndone(() => said.push("3 undone"));
      inner.atCommit(put(inner, 3));
      inner.afterCommit(() => said.push("3"));
      await inner.savepoint(async (innermost) => {
        await put(innermost, 4);
        innermost.afterCommit(() => said.push("4"));
        innermost.whenUndone(() => said.push("4 undone"));
      });
      return fault(inner);
    }),
  );
  await put(tx, 5);
  tx.afterCommit(() => said.push("5"));
  return failure;
}

describe("a savepoint", () => {
  test.for([
    ["throws", async () => Promise.reject(new Error("no"))],
    ["has a statement that fails", async (inner: Tx) => Promise.reject(await put(inner, 1))],
    [
      "leaves a statement that fails to COMMIT, and throws",
      async (inner: Tx) => {
        inner.atCommit(put(inner, 1));
        throw new Error("no");
      },
    ],
  ] as const)("whose work %s is undone alone, with all that it left to the end", async ([, fault]) => {
    const said: string[] = [];
    const failure = await database.owner.tx((tx) => story(tx, said, fault as (inner: Tx) => Promise<never>)); // cast: never answers
    expect(failure).toMatch(/^no$|duplicate key/);
    expect(await rows()).toEqual([1, 2, 5]);
    expect(said).toEqual(["4 undone", "3 undone", "1", "2", "5"]);
  });

  test("is undone with what it wrote before one within it that was undone alone", async () => {
    await database.owner.tx(async (tx) => {
      await put(tx, 1);
      const work = tx.savepoint(async (inner) => {
        await put(inner, 2);
        await caught(inner.savepoint((innermost) => put(innermost, 1)));
        await put(inner, 3);
        throw new Error("no");
      });
      expect(await caught(work)).toBe("no");
      await put(tx, 4);
    });
    expect(await rows()).toEqual([1, 4]);
  });

  test("of a transaction that rolls back runs nothing", async () => {
    const said: string[] = [];
    const work = database.owner.tx(async (tx) => {
      await story(tx, said, () => Promise.reject(new Error("no")));
      throw new Error("all of it");
    });
    await expect(work).rejects.toThrow("all of it");
    expect([await rows(), said]).toEqual([[], ["4 undone", "3 undone"]]);
  });

  test("takes no statement once it has ended, so that none outlives it", async () => {
    const late = Promise.withResolvers<void>();
    let straggler: Promise<string> | undefined;
    await database.owner.tx(async (tx) => {
      const work = tx.savepoint(async (inner) => {
        straggler = late.promise.then(() => caught(put(inner, 7)));
        throw new Error("no");
      });
      await caught(work);
      late.resolve();
      expect(await straggler).toBe("the transaction of this statement has ended");
      await put(tx, 8);
    });
    expect(await rows()).toEqual([8]);
  });

  test("tells why a statement behind one that failed was refused", async () => {
    await database.owner.tx(async (tx) => {
      await put(tx, 1);
      const work = tx.savepoint(async (inner) => {
        const failed = put(inner, 1);
        failed.catch(() => {});
        await put(inner, 2); // refused, because the one before it failed
      });
      expect(await caught(work)).toMatch(/duplicate key/);
      await put(tx, 3);
    });
    expect(await rows()).toEqual([1, 3]);
  });

  test("is one key with its transaction, and no other's", async () => {
    const keys: object[] = [];
    await database.owner.tx(async (tx) => {
      keys.push(tx.key);
      await tx.savepoint(async (inner) => void keys.push(inner.key));
    });
    await database.owner.tx(async (tx) => void keys.push(tx.key));
    expect([keys[0] === keys[1], keys[0] === keys[2]]).toEqual([true, false]);
  });
});
