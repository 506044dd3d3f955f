import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPool, type Tx } from "../../../src/db/pool.ts";
import { lockBalances } from "../../../src/ledger/balance-queries.ts";
import { advanceSettledMark } from "../../../src/ledger/settled-mark/advance-settled-mark.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const WAITING = `select 1
from pg_locks l
join pg_stat_activity a using (pid)
where not l.granted
  and a.datname = current_database()`;

/** A transaction that stands still after `first` until it is ended. */
async function open(first: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const done = service.deps.db.tx(async (tx) => {
    await first(tx);
    begin();
    await ended;
  });
  await begun;
  return async () => {
    end();
    await done;
  };
}

test("the settled mark passes no batch that read the floor before it was published", async () => {
  const { db } = service.deps;
  const customer = await makeCustomer(service.deps);
  await waitUntil(async () => {
    const { settledAt } = await advanceSettledMark(service.deps);
    return settledAt !== null && Temporal.Instant.compare(settledAt, service.clock.now()) >= 0;
  }); // until then the next one would not wait: transactions of the server's other databases hold the mark up
  service.clock.advance({ seconds: 1 });
  const floorBefore = service.clock.now();
  const unlock = await open((tx) => tx.query("select from ledger_mark for update"));
  const advancing = advanceSettledMark(service.deps); // has its number, and waits
  await waitUntil(async () => (await db.query(WAITING)).length > 0);
  const endBatch = await open((tx) => lockBalances(tx, [customer])); // reads the old floor
  await unlock();
  const { settledAt } = await advancing;
  await endBatch();
  expect(Temporal.Instant.compare(settledAt ?? floorBefore, floorBefore)).toBeLessThan(0);
});

test("a stream whose connection dies between two pieces fails, and nothing else", async () => {
  const { db } = service.deps;
  const read = async () => {
    for await (const piece of db.stream<{ n: number; pid: number }>(
      "select n, pg_backend_pid() as pid from generate_series(1, 5000) n",
      [],
    )) {
      await db.query("select pg_terminate_backend($1)", [piece[0]?.pid ?? 0]);
      await waitUntil(
        async () => (await db.query("select from pg_stat_activity where pid = $1", [piece[0]?.pid ?? 0])).length === 0,
      );
    }
  };
  await expect(read()).rejects.toThrow();
  expect(await db.query("select 1 as one")).toEqual([{ one: 1 }]);
});

test("a transaction that has ended takes no statement any more", async () => {
  const { db } = service.deps;
  await service.owner.execute("create table late (n integer)");
  const kept: Tx[] = [];
  await db.tx(async (tx) => void kept.push(tx));
  await expect(
    db.tx(async (tx) => {
      kept.push(tx);
      throw new Error("refused");
    }),
  ).rejects.toThrow("refused");
  for (const tx of kept) await expect(tx.execute("insert into late values (1)")).rejects.toThrow("ended");
  expect(await db.query("select from late")).toEqual([]);
});

/** One message of a PostgreSQL server. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.from(`${type}0000`, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

test("a connection that ends in the very moment in which it is opened fails what it was opened for, and not the process", async () => {
  const ready = [message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))];
  const fatal = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0", "latin1"));
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => void socket.end(Buffer.concat([...ready, fatal])));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  const db = openPool({ connection: { host: "127.0.0.1", port: address.port, user: "nobody", database: "none" } });
  await expect(Array.fromAsync(db.stream("select 1", []))).rejects.toThrow("not queryable");
  await expect(db.query("select 1")).rejects.toThrow("terminating connection");
  await db.close();
  await new Promise((resolve) => server.close(resolve));
});
