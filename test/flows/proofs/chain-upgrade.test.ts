import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSecretBox } from "../../../src/credentials/secret-box.ts";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { deleteCustomer } from "../../../src/customers/delete-customer.ts";
import type { Deps } from "../../../src/deps.ts";
import { redactCustomer } from "../../../src/intake/redact-customer.ts";
import { linkChains } from "../../../src/ledger/chain/link-chains.ts";
import { ensureLedgerKey } from "../../../src/ledger/key/ensure-ledger-key.ts";
import { readLedgerKey } from "../../../src/ledger/key/ledger-key-queries.ts";
import { resealLedgerKey } from "../../../src/ledger/key/reseal-ledger-key.ts";
import { resetLedgerKey } from "../../../src/ledger/key/reset-ledger-key.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { checkLedger, type LedgerFault } from "../../../src/ledger/verify/check-ledger.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { TEST_SECRET_KEY } from "../../support/secret-box.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
let deps: Deps;

async function post(customer: CustomerRow, values: readonly bigint[]): Promise<void> {
  const postings = values.map((pointValue) => {
    const change = { kind: "add", pointValue, shortfall: "refuse" } as const;
    return { customer, posting: { ...plainPosting(deps.random.uid(), "api", "test", change), note: "a note" } };
  });
  await deps.db.tx((tx) => postAllotments(tx, deps, postings));
}

async function check(): Promise<{ faults: LedgerFault[]; notLinked: number }> {
  const faults: LedgerFault[] = [];
  const key = await readLedgerKey(deps.db, deps);
  if (key === null) throw new Error("there is no key");
  const { notLinked } = await checkLedger(deps.db, { key, onFault: (fault) => faults.push(fault) });
  return { faults, notLinked };
}

const isLinked = async () => (await readLedgerKey(deps.db, deps))?.isLinked;

/** As the version before chains left its rows. */
async function unchain(): Promise<void> {
  await service.owner.execute("update allotment set chain = null, note_digest = null");
  await service.owner.execute("update allotment_note set salt = null");
  await service.owner.execute("update balance set chained_version = 0, chain_head = null");
  await service.owner.execute("delete from ledger_key");
}

beforeEach(async () => {
  service = await startTestService({ worker: false });
  deps = service.deps;
});
afterEach(() => service.stop());

describe("chains of points from before there were chains", () => {
  test("the worker links them; until it is through it is said and is no fault, from then on a gap is one", async () => {
    const customers = [await makeCustomer(deps), await makeCustomer(deps), await makeCustomer(deps)];
    for (const customer of customers) await post(customer, [100n, -30n, 5n]);
    await unchain();
    await ensureLedgerKey(deps);
    expect(await isLinked()).toBe(false);
    expect(await check()).toEqual({ faults: [], notLinked: 3 });
    await post(customers[0] ?? (await makeCustomer(deps)), [7n]); // before the worker came to its customer
    expect(await linkChains(deps)).toBe(3);
    expect(await check()).toEqual({ faults: [], notLinked: 0 });
    await post(customers[0] ?? (await makeCustomer(deps)), [8n]);
    expect(await linkChains(deps)).toBe(0);
    expect(await isLinked()).toBe(false);
    service.clock.advance({ hours: 1 });
    await linkChains(deps);
    expect(await isLinked()).toBe(true);
    expect(await check()).toEqual({ faults: [], notLinked: 0 });
    await service.owner.execute("update balance set chained_version = 0, chain_head = null where customer_uid = $1", [
      customers[1]?.customerUid ?? "",
    ]);
    expect((await check()).faults).toMatchObject([{ check: "chains", customerUid: customers[1]?.customerUid }]);
    expect(await linkChains(deps)).toBe(0); // what was changed by hand is not linked anew
  });

  test("what a node of the previous version posts meanwhile is linked later", async () => {
    const customer = await makeCustomer(deps);
    await post(customer, [100n]);
    await unchain();
    await ensureLedgerKey(deps);
    await linkChains(deps);
    const [before] = await deps.db.query<{ head: Buffer }>("select chain_head as head from balance");
    await post(customer, [-30n]);
    await service.owner.execute("update allotment set chain = null, note_digest = null where version = 2");
    await service.owner.execute("update allotment_note set salt = null where version = 2");
    await service.owner.execute("update balance set chained_version = 1, chain_head = $1", [before?.head ?? null]);
    await post(customer, [10n]);
    expect(await check()).toEqual({ faults: [], notLinked: 1 });
    expect(await linkChains(deps)).toBe(1);
    expect(await check()).toEqual({ faults: [], notLinked: 0 });
    await post(customer, [10n]);
    await service.owner.execute("update allotment set point_value = 31, balance_after = 131 where version = 2");
    expect((await check()).faults.map(({ check: name }) => name)).toContain("chains");
  });
});

describe("what changes rows rightly keeps the chains", () => {
  test("merges, deletions and erasure", async () => {
    const [kept, removed, other] = [await makeCustomer(deps), await makeCustomer(deps), await makeCustomer(deps)];
    for (const customer of [kept, removed, other]) await post(customer, [100n, -30n, 5n]);
    await mergeInto(deps, removed.storefrontId, kept.storefrontId);
    await post(kept, [3n]);
    await deps.db.tx((tx) => deleteCustomer(tx, deps, other.storefrontId, "test"));
    expect(await check()).toEqual({ faults: [], notLinked: 0 });
    const erase = { customerId: kept.storefrontId, appReference: "test" };
    await deps.db.tx((tx) => redactCustomer(tx, deps, erase));
    const [left] = await deps.db.query(
      "select count(*)::integer as notes from allotment_note where customer_uid = $1",
      [kept.customerUid],
    );
    expect(left).toEqual({ notes: 0 });
    expect(await check()).toEqual({ faults: [], notLinked: 0 });
  });

  test("another secret key, and a lost one: customers are linked anew by another key", async () => {
    const customer = await makeCustomer(deps);
    await post(customer, [100n, -30n]);
    const before = await readLedgerKey(deps.db, deps);
    const next = createSecretBox({ current: "another key for tests", previous: [TEST_SECRET_KEY] });
    expect(await resealLedgerKey({ db: deps.db, secretBox: next })).toBe(1);
    expect(await resealLedgerKey({ db: deps.db, secretBox: next })).toBe(0);
    deps = { ...deps, secretBox: next };
    expect((await readLedgerKey(deps.db, deps))?.material).toEqual(before?.material);
    expect(await resetLedgerKey(deps, { isDryRun: false })).toBe(false);

    deps = { ...deps, secretBox: createSecretBox("nobody knows the one before") };
    expect(await resetLedgerKey(deps, { isDryRun: true })).toBe(true);
    expect(await resetLedgerKey(deps, { isDryRun: false })).toBe(true);
    expect(await check()).toEqual({ faults: [], notLinked: 0 });
    await post(customer, [1n]);
    await linkChains(deps);
    service.clock.advance({ hours: 1 });
    await linkChains(deps);
    expect(await isLinked()).toBe(true);
    expect(await check()).toEqual({ faults: [], notLinked: 0 });
    const actions = await deps.db.query("select action from audit_entry where subject_kind = 'ledger_key' order by id");
    expect(actions).toEqual([{ action: "ledger_key.created" }, { action: "ledger_key.created" }]);
  });
});

describe("a key that was changed by hand", () => {
  test("another sealed text in its place is none", async () => {
    const known = deps.secretBox.seal("JBSWY3DPEHPK3PXP");
    await service.owner.execute("update ledger_key set material_sealed = $1", [known]);
    await expect(readLedgerKey(deps.db, deps)).rejects.toThrow("The stored key of the ledger is not the one");
  });

  test("taken away: the next one that a start makes takes nothing as given", async () => {
    const customer = await makeCustomer(deps);
    await post(customer, [100n]);
    await service.owner.execute("delete from ledger_key");
    await ensureLedgerKey(deps);
    expect(await isLinked()).toBe(true);
    expect((await check()).faults).toMatchObject([{ check: "chains", customerUid: customer.customerUid }]);
  });
});
