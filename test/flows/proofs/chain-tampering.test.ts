import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { readLedgerKey } from "../../../src/ledger/key/ledger-key-queries.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { type Posting, plainPosting } from "../../../src/ledger/posting.ts";
import { checkLedger, type LedgerFault } from "../../../src/ledger/verify/check-ledger.ts";
import type { AllotmentPass } from "../../../src/ledger/verify/pass-allotments.ts";
import { CHAIN_TAMPERINGS } from "../../support/chain-tamperings.ts";
import { makeCustomer } from "../../support/customers.ts";
import { passWith } from "../../support/pass-with.ts";
import { startTestService, type TestService } from "../../support/service.ts";

/** What JavaScript and PostgreSQL have to write into JSON alike. */
const ODD_TEXT = '"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028é贈😀';

/** The third posting of each victim brings its dates. */
const DATES = {
  expiresAt: Temporal.Instant.from("2029-06-01T00:00:00.5Z"),
  earnedAt: Temporal.Instant.from("2020-02-29T12:34:56.123456Z"),
};

let service: TestService;
const victims: CustomerRow[] = [];
let whole: CustomerRow;
const before: LedgerFault[] = [];
const after: LedgerFault[] = [];
const passes: AllotmentPass[] = [];
let wholePass: AllotmentPass;
/** What `verify` finds after a pass that ran beside it. */
const afterPass: LedgerFault[] = [];

function step(pointValue: bigint, note: string | null): Posting {
  const change = { kind: "add", pointValue, shortfall: "refuse" } as const;
  const plain = plainPosting(service.deps.random.uid(), "api", "test", change);
  return {
    ...plain,
    parent: ODD_TEXT,
    extends: "credit",
    reasonType: "reward",
    note,
    actor: note === null ? null : "Hanako",
    ...(pointValue === 800n ? DATES : {}),
  };
}

async function makeVictim(): Promise<CustomerRow> {
  const customer = await makeCustomer(service.deps);
  const values = [100n, -30n, 800n, 40n];
  const postings = values.map((value, i) => ({
    customer,
    posting: step(value, i === 3 ? `a gift ${ODD_TEXT}` : null),
  }));
  await service.owner.tx((tx) => postAllotments(tx, service.deps, postings));
  return customer;
}

async function ledgerKey() {
  const key = await readLedgerKey(service.deps.db, service.deps);
  if (key === null) throw new Error("the store has a key from its start");
  return key;
}

async function check(onFault: (fault: LedgerFault) => void) {
  return checkLedger(service.deps.db, { key: await ledgerKey(), onFault });
}

describe("rows changed by somebody who may change every row, in all places at once", () => {
  beforeAll(async () => {
    service = await startTestService({ worker: false });
    for (const _ of CHAIN_TAMPERINGS) victims.push(await makeVictim());
    whole = await makeVictim();
    await check((fault) => before.push(fault));
    const key = await ledgerKey();
    wholePass = await passWith(service.owner, null, { key });
    for (const [i, [, , , statements]] of CHAIN_TAMPERINGS.entries())
      passes.push(await passWith(service.owner, { statements, customerUid: victims[i]?.customerUid ?? "" }, { key }));
    for (const [i, [, , , statements]] of CHAIN_TAMPERINGS.entries())
      for (const statement of statements)
        expect(await service.owner.execute(statement, [victims[i]?.customerUid ?? ""])).toBeGreaterThan(0);
    await check((fault) => after.push(fault));
    const pass = passWith(service.owner, null, { key });
    await checkLedger(service.deps.db, { key, pass, onFault: (fault) => afterPass.push(fault) });
  });
  afterAll(() => service.stop());

  test("nothing is found before", () => {
    expect(before).toEqual([]);
  });

  test.each(CHAIN_TAMPERINGS.map(([what, name, found], i) => [what, name, found, i] as const))(
    "%s: found by %s",
    (_what, name, found, i) => {
      const own = after.filter(({ customerUid }) => customerUid === victims[i]?.customerUid);
      expect(own).toContainEqual(expect.objectContaining({ check: name, found: expect.stringMatching(found) }));
    },
  );

  test("a pass over all allotments vouches for the whole ledger", () => {
    expect(wholePass).toEqual({ areHistoriesClean: true, areChainsClean: true });
  });

  test.each(
    CHAIN_TAMPERINGS.map(([what, name], i) => [what, name, i] as const).filter(([, name]) => name === "chains"),
  )("the pass does not vouch for the chains: %s", (_what, _name, i) => {
    expect(passes[i]?.areChainsClean).toBe(false);
  });

  test("the same is found where a pass runs beside the checks", () => {
    const sorted = (faults: readonly LedgerFault[]) => faults.map((fault) => JSON.stringify(fault)).toSorted();
    expect(sorted(afterPass)).toEqual(sorted(after));
  });

  test("the checks of sums alone find none of what was changed in all places", () => {
    const sums = after.filter(
      ({ check: name }) => !["chains", "notes", "own_dates", "lot_dates", "returned_dates"].includes(name),
    );
    expect(sums).toEqual([]);
  });

  test("names no customer who was left alone", () => {
    expect(after.filter(({ customerUid }) => customerUid === whole.customerUid)).toEqual([]);
  });
});
