import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkExternalNote } from "../../../src/checkpoints/check-external-note.ts";
import { checkLogs } from "../../../src/checkpoints/check-logs.ts";
import { advanceAuditMark } from "../../../src/checkpoints/checkpoint-queries.ts";
import { type CloseOutcome, closeCheckpoint } from "../../../src/checkpoints/close-checkpoint.ts";
import { createFactsHasher } from "../../../src/checkpoints/create-facts-hasher.ts";
import { createRange, leafHash } from "../../../src/checkpoints/merkle.ts";
import { checkProof } from "../../../src/checkpoints/proof.ts";
import { proveAllotment } from "../../../src/checkpoints/prove-allotment.ts";
import { type Checkpoint, readCheckpoint } from "../../../src/checkpoints/signed-note.ts";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { FACTS_SQL } from "../../../src/ledger/chain/chain.ts";
import { readLedgerKey } from "../../../src/ledger/key/ledger-key-queries.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { advanceSettledMark } from "../../../src/ledger/settled-mark/advance-settled-mark.ts";
import { makeCustomer } from "../../support/customers.ts";
import { passWith } from "../../support/pass-with.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

const TABLES = [
  "allotment",
  "allotment_note",
  "balance",
  "lot",
  "draw",
  "customer",
  "customer_alias",
  "audit_entry",
  "tree_node",
  "checkpoint",
  "checkpoint_mark",
] as const;
const CUSTOMERS = 30;
const ROUNDS = 20;

let service: TestService;
const customers: CustomerRow[] = [];

async function post(rounds: number): Promise<void> {
  const { deps } = service;
  for (let round = 0; round < rounds; round++) {
    service.clock.advance({ seconds: 1 });
    const change = { kind: "add", pointValue: 10n, shortfall: "refuse" } as const;
    const postings = customers.map((customer) => ({
      customer,
      posting: { ...plainPosting(deps.random.uid(), "api", "test", change), note: "hello" },
    }));
    await deps.db.tx((tx) => postAllotments(tx, deps, postings));
  }
}

/** Closes checkpoints until nothing is left to be covered; returns the newest note. */
async function closeAll(): Promise<string> {
  await waitUntil(isAllSettled);
  for (let note = ""; ; ) {
    const outcome = await closeCheckpoint(service.deps);
    if (outcome.kind === "altered") throw new Error(outcome.found);
    if (outcome.kind === "unchanged") return note;
    note = outcome.note;
  }
}

/** Transactions of other databases of the server, which other tests use, hold the marks up for as long as they run. */
async function isAllSettled(): Promise<boolean> {
  const { db } = service.deps;
  await advanceSettledMark(service.deps);
  await advanceAuditMark(db);
  const [row] = await db.query<{ isSettled: boolean }>(
    `select coalesce((select max(allotted_at) from allotment) <= settled_at, true)
       and coalesce((select max(id) from audit_entry) <= settled_id, true) as "isSettled"
     from ledger_mark, checkpoint_mark`,
  );
  return row?.isSettled === true;
}

async function key() {
  const found = await readLedgerKey(service.deps.db, service.deps);
  if (found === null) throw new Error("the store has a key from its start");
  return found;
}

async function read(note: string): Promise<Checkpoint> {
  const checkpoint = readCheckpoint(note, (await key()).publicKey);
  if (checkpoint === null) throw new Error(`not a checkpoint: ${note}`);
  return checkpoint;
}

async function check(against: readonly Checkpoint[] = []): Promise<readonly string[]> {
  const { faults } = await checkLogs(service.deps, await key(), against);
  const hasher = createFactsHasher();
  await passWith(service.owner, null, { key: null, hasher });
  expect((await checkLogs(service.deps, await key(), against, hasher)).faults).toEqual(faults);
  return faults;
}

/** Runs statements as a superuser for whom no trigger counts. */
function asSuperuser(statements: readonly string[]): Promise<void> {
  return service.owner.tx(async (tx) => {
    await tx.execute("set local session_replication_role = replica");
    for (const statement of statements) await tx.execute(statement);
  });
}

const keep = (name: string) => TABLES.map((table) => `create table ${name}_${table} as select * from ${table}`);
const restore = (name: string) =>
  TABLES.flatMap((table) => [
    `delete from ${table}`,
    `insert into ${table} ${table === "audit_entry" ? "overriding system value " : ""}select * from ${name}_${table}`,
  ]);

/** What is found, and what the next checkpoint comes to, after rows were changed by hand; then all is as it was. */
async function tampered(statements: readonly string[]): Promise<{ faults: readonly string[]; next: CloseOutcome }> {
  await asSuperuser(statements);
  const faults = await check();
  const next = await closeCheckpoint(service.deps);
  await asSuperuser(restore("kept"));
  return { faults, next };
}

const VICTIM = "(select customer_uid from customer order by storefront_id limit 1)";
const ERASE_CUSTOMER = ["allotment", "allotment_note", "lot", "draw", "customer_alias", "customer", "balance"].map(
  (table) =>
    `delete from ${table} where customer_uid = (select customer_uid from kept_customer order by storefront_id limit 1)`,
);

describe("checkpoints over the ledger and the audit log", () => {
  let note: string;

  beforeAll(async () => {
    service = await startTestService({ worker: false });
    for (let i = 0; i < CUSTOMERS; i++) customers.push(await makeCustomer(service.deps));
    await post(ROUNDS);
    note = await closeAll();
    await asSuperuser(keep("kept"));
  });
  afterAll(() => service.stop());

  test("cover everything that was settled, and hold", async () => {
    const { allotments, audit } = await read(note);
    expect(allotments.size).toBe(BigInt(CUSTOMERS * ROUNDS));
    expect(audit.size).toBeGreaterThan(2n);
    expect(await check()).toEqual([]);
    expect(await check([await read(note)])).toEqual([]);
  });

  test("are signed notes: another text, another key, another origin is none", async () => {
    const { publicKey, uid } = await key();
    expect(note).toMatch(
      new RegExp(
        `^pointkeeper/${uid}\\n600\\n[\\w+/]{43}=\\naudit \\d+ [\\w+/]{43}=\\ntime 2026-.*Z\\n\\n— pointkeeper/${uid} \\S+\\n$`,
      ),
    );
    expect(readCheckpoint(note.replace("\n600\n", "\n601\n"), publicKey)).toBeNull();
    expect(readCheckpoint(note.replaceAll(uid, "0"), publicKey)).toBeNull();
    expect(readCheckpoint(note, Buffer.alloc(32, 7))).toBeNull();
    expect(readCheckpoint(`${note}\n`, publicKey)).toBeNull();
  });

  test("nothing new: no new one", async () => {
    expect(await closeCheckpoint(service.deps)).toEqual({ kind: "unchanged" });
  });

  test.each<[what: string, found: RegExp, statements: readonly string[]]>([
    ["a whole customer erased", /^allotments: one of the 256 from number 0 on, .* lacks \d+$/, ERASE_CUSTOMER],
    [
      "an allotment changed",
      /^allotments: one of the 256 from number 256 on, .* is not what was signed$/,
      [`update allotment set reason_type = 'other' where customer_uid = ${VICTIM} and version = 12`],
    ],
    [
      "an allotment added behind the mark",
      /^allotments: one of the 256 from number 0 on, .* has 1 that were added$/,
      [
        `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after, source_key,
          app_reference, extends, program_version)
          select bucket, customer_uid, 99, gen_random_uuid(), allotted_at, type, point_value, balance_after, 'api/x', app_reference,
            extends, program_version from allotment where customer_uid = ${VICTIM} and version = 2`,
      ],
    ],
    [
      "an allotment changed that no full tile holds",
      /^allotments: the first 600 are not what the newest checkpoint signed$/,
      [`update allotment set reason_type = 'other' where customer_uid = ${VICTIM} and version = 20`],
    ],
    [
      "an entry of the audit log rewritten",
      /^audit: the first \d+ are not what the newest checkpoint signed$/,
      ["update audit_entry set actor_name = 'nobody' where id = (select min(id) from audit_entry)"],
    ],
    [
      "an entry of the audit log taken away",
      /^audit: the newest checkpoint covers \d+, and something it covers is gone/,
      ["delete from audit_entry where id = (select min(id) from audit_entry)"],
    ],
    [
      "an allotment changed and the stored tree with it",
      /^allotments: the first 600 are not what the newest checkpoint signed$/,
      [`update tree_node set hash = sha256(hash) where log = 1 and n = 1`],
    ],
    [
      "a checkpoint written by hand",
      /^the signature of checkpoint \d+, the newest, does not hold$/,
      ["update checkpoint set note = replace(note, E'\\n600\\n', E'\\n599\\n')"],
    ],
    [
      "the checkpoints taken away, the tree left",
      /^allotments: the stored tree goes beyond the newest checkpoint/,
      ["delete from checkpoint"],
    ],
  ])("%s: found, and not signed over", async (_what, found, statements) => {
    const { faults, next } = await tampered(statements);
    expect(faults).toContainEqual(expect.stringMatching(found));
    // what was changed in a full tile is found by verify and by the slices of the self-check
    if (!/number 256|were added/.test(found.source)) expect(next).toMatchObject({ kind: "altered" });
    expect(await check()).toEqual([]);
  });

  test("a store rolled back to an earlier moment holds by itself, and not against a checkpoint kept outside", async () => {
    const early = await read(note);
    await post(10);
    const lateNote = await closeAll();
    const late = await read(lateNote);
    expect(late.allotments.size).toBe(900n);
    expect(await check([early, late])).toEqual([]);
    await asSuperuser(restore("kept"));
    expect(await check()).toEqual([]);
    expect(await check([early])).toEqual([]);
    expect(await check([late])).toContainEqual(
      expect.stringMatching(/^allotments: the checkpoint of .* covers 900, and something it covers is gone/),
    );
    const next = await closeCheckpoint(service.deps);
    expect(next).toMatchObject({
      kind: "altered",
      found: expect.stringMatching(/which this process signed, is not there/),
    });
    const { deps } = service; // a new process reads what is kept outside
    const outside = (kept: string | null) => checkExternalNote(deps, { kept, next: note });
    expect(await outside(lateNote)).toMatch(/^allotments: .* covers 900, and the database does not have them/);
    expect(await outside(note.replace("time 2", "time 3"))).toMatch(/is not one that a key of this database signed/);
    expect([await outside(note), await outside(null)]).toEqual([null, null]);
  });
});

/** Leaves of two subtrees of height 16 and some more, written by SQL: what the tree is made of need not be posted. */
const LARGE = 140_000;
const INSERT_LARGE = `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after, source_key,
  app_reference, extends, program_version)
select 0, '00000000-0000-7000-8000-000000000000', n, gen_random_uuid(), timestamptz '2026-01-01Z' + make_interval(secs => n / 7), 'api', 1, n,
  'api/' || n, 'test', true, 1
from generate_series(1, ${LARGE}) n`;

describe("a tree of several heights", () => {
  beforeAll(async () => {
    service = await startTestService({ worker: false });
    await service.owner.execute(INSERT_LARGE);
  });
  afterAll(() => service.stop());

  test("grows in slices, holds, proves each part, and finds a change in one tile", async () => {
    const db = service.owner;
    const head = (await read(await closeAll())).allotments;
    expect(head.size).toBe(BigInt(LARGE));
    const heights = await db.query(
      "select height, count(*)::integer as nodes from tree_node where log = 1 group by height order by height",
    );
    expect(heights).toEqual([
      { height: 8, nodes: 546 },
      { height: 16, nodes: 2 },
    ]);
    const leaves = createRange();
    const rows = await db.query<{ text: string }>(
      `select ${FACTS_SQL} as text from allotment a order by a.allotted_at, a.uid`,
    );
    for (const { text } of rows) leaves.append(leafHash(text));
    expect(leaves.root()).toEqual(head.root);
    expect(await check()).toEqual([]);
    const places = "select uid from allotment order by allotted_at, uid offset $1 limit 1";
    for (const index of [0, 65_535, 65_536, 131_071, 131_072, 139_775, 139_776, LARGE - 1]) {
      const [row] = await db.query<{ uid: string }>(places, [index]);
      const proof = await proveAllotment(service.deps, row?.uid ?? "");
      expect(proof.index).toBe(BigInt(index));
      expect(checkProof(proof, null)).toMatchObject({ allotments: { size: BigInt(LARGE) } });
    }
    await db.execute("update allotment set point_value = 2 where version = 70000");
    expect(await check()).toEqual([
      expect.stringMatching(/^allotments: one of the 256 from number 69888 on, .* is not what was signed$/),
    ]);
    await db.execute("update allotment set point_value = 1 where version = 70000");
    await db.execute("update tree_node set hash = sha256(hash) where height = 16 and n = 1");
    expect(await check()).toContainEqual("allotments: subtree 1 of height 16 is not what its parts make");
  });
});
