import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic, createClient } from "../../support/client.ts";
import {
  type LoadGenerator,
  type LoadNote,
  type ReceiverProcess,
  startLoad,
  startReceiverProcess,
} from "../../support/load.ts";
import { startVictim, VICTIM_CREDENTIAL, type Victim } from "../../support/load-victim.ts";
import { runCli } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { UNACKNOWLEDGED } from "../../support/webhook-flow.ts";

const SERVICE_KILLS = 8; // many more: npm run torture
const DATABASE_KILLS = 4;
const LANES = 10;
const ACKNOWLEDGED_BETWEEN_KILLS_MAX = 60;
const keyedCustomers = Array.from({ length: 8 }, (_, n) => `81000${n}`);
const plainCustomers = Array.from({ length: 8 }, (_, n) => `82000${n}`);

let victim: Victim;
let load: LoadGenerator;
let receiver: ReceiverProcess;

beforeAll(async () => {
  victim = await startVictim();
  receiver = await startReceiverProcess(join(victim.folder, "delivered"));
  const authorization = basic(VICTIM_CREDENTIAL);
  const client = createClient(victim.url, authorization);
  for (const id of [...keyedCustomers, ...plainCustomers]) {
    const made = await client.put(`/api/storefront/customers/${id}`, { name: `Customer ${id}` });
    expect(made.status).toBeLessThan(300);
  }
  const topic = "point_allotment/cascade";
  const subscribed = await client.post("/api/storefront/webhooks", { topic, callback_url: receiver.url });
  expect(subscribed.status).toBe(200);
  const notesPath = join(victim.folder, "acknowledged");
  load = startLoad({ url: victim.url, authorization, lanes: LANES, keyedCustomers, plainCustomers, notesPath });
});

afterAll(async () => {
  load?.kill();
  receiver?.kill();
  await victim?.remove();
});

const randomCount = () => 1 + Math.floor(Math.random() * ACKNOWLEDGED_BETWEEN_KILLS_MAX);

describe("SIGKILL under load (program.md 8)", () => {
  test("the running server keeps what it acknowledges", async () => {
    const names = ["fsync", "synchronous_commit", "full_page_writes", "data_checksums"];
    const settings = await victim.withDatabase((db) =>
      db.query("select name, setting from pg_settings where name = any($1) order by name", [names]),
    );
    expect(settings).toEqual(names.toSorted().map((name) => ({ name, setting: "on" })));
  });

  test("of the service, then of the database: what was acknowledged is there once, verified, and delivered", async () => {
    await killServices();
    await killDatabases();
    await load.end();
    const notes = load.notes();
    const rows = await victim.withDatabase((db) => db.query<Row>(ALLOTMENTS));
    expect(notes.filter((note) => note.kind === "fault")).toEqual([]);
    expectOnce(notes, rows);
    expectKeysOnce(notes, rows);
    await expectDelivered(rows);
    expect(await victim.service().stop()).toMatchObject({ code: 0 });
    const verified = await runCli(["verify"], victim.env);
    expect(verified, verified.stdout).toMatchObject({ code: 0, stderr: "" });
  });
});

async function killServices(): Promise<void> {
  for (let n = 0; n < SERVICE_KILLS; n++) {
    await load.moreAcknowledged(randomCount());
    await victim.killService();
    await victim.start();
  }
  await load.moreAcknowledged(randomCount());
}

/** The service lives on and uses the next one. */
async function killDatabases(): Promise<void> {
  const { child } = victim.service();
  for (let n = 0; n < DATABASE_KILLS; n++) {
    await load.moreAcknowledged(randomCount());
    await victim.killDatabase();
  }
  await load.moreAcknowledged(randomCount());
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
}

/** Each allotment with points is delivered at least once, and no other. */
async function expectDelivered(rows: readonly Row[]): Promise<void> {
  const told = new Set(rows.filter((row) => row.points !== 0).map((row) => row.uid));
  await waitUntil(() => new Set(receiver.uids()).size >= told.size);
  expect(new Set(receiver.uids())).toEqual(told);
  await victim.withDatabase((db) => waitUntil(async () => (await db.query(UNACKNOWLEDGED)).length === 0));
}

interface Row {
  uid: string;
  storefrontId: string;
  points: number;
  balance: number;
  note: string | null;
}

const ALLOTMENTS = `select a.uid,
  c.storefront_id as "storefrontId",
  a.point_value::int as points,
  a.balance_after::int as balance,
  n.note
from allotment a
join customer c using (bucket, customer_uid)
left join allotment_note n using (bucket, customer_uid, version)`;

/** Each acknowledged call is one allotment as it was answered; more there is only where an answer was broken off. */
function expectOnce(notes: readonly LoadNote[], rows: readonly Row[]): void {
  const acknowledged = notes.flatMap((note) => (note.kind === "acknowledged" ? [note] : []));
  const broken = notes.filter((note) => note.kind === "broken").length;
  expect(acknowledged.length).toBeGreaterThan(SERVICE_KILLS + DATABASE_KILLS);
  expect(broken).toBeGreaterThan(0); // else nothing was killed under load
  const rowOf = new Map(rows.map((row) => [row.uid, row]));
  expect(rowOf.size).toBe(rows.length);
  expect(new Set(acknowledged.map((note) => note.uid)).size).toBe(acknowledged.length);
  const missing = acknowledged.filter(({ uid, customer, points, balance }) => {
    const row = rowOf.get(uid);
    return row?.storefrontId !== customer || row.points !== points || row.balance !== balance;
  });
  expect(missing).toEqual([]);
  expect(rows.length - acknowledged.length).toBeLessThanOrEqual(broken);
}

/** Calls with a key were sent until they were answered: their customers have just what was acknowledged, once. */
function expectKeysOnce(notes: readonly LoadNote[], rows: readonly Row[]): void {
  const answered = notes.flatMap((note) => (note.kind === "acknowledged" && note.key !== null ? [note.uid] : []));
  const keyed = rows.filter((row) => keyedCustomers.includes(row.storefrontId));
  expect(answered.length).toBeGreaterThan(0);
  expect(keyed.map((row) => row.uid).sort()).toEqual(answered.sort());
  const marks = keyed.flatMap(({ note }) => note ?? []);
  expect(new Set(marks).size).toBe(marks.length);
}
