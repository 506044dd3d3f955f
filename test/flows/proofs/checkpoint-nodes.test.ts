import { afterAll, beforeAll, expect, test } from "vitest";
import { closeCheckpoint } from "../../../src/checkpoints/close-checkpoint.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { advanceSettledMark } from "../../../src/ledger/settled-mark/advance-settled-mark.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

async function award(): Promise<void> {
  const { deps } = service;
  service.clock.advance({ seconds: 1 });
  const customer = await makeCustomer(deps);
  const change = { kind: "add", pointValue: 10n, shortfall: "refuse" } as const;
  const posting = plainPosting(deps.random.uid(), "api", "test", change);
  await deps.db.tx((tx) => postAllotments(tx, deps, [{ customer, posting }]));
}

/** Closes checkpoints on the first node until one covers so many allotments. */
const closeUpTo = (allotments: number) =>
  waitUntil(async () => {
    await advanceSettledMark(service.deps);
    await closeCheckpoint(service.deps);
    return (await covered()) === allotments;
  });

async function covered(): Promise<number | undefined> {
  const text = "select allotments::integer as size from checkpoint order by n desc limit 1";
  return (await service.deps.db.query<{ size: number }>(text))[0]?.size;
}

test("a node that read the settled mark before another node's checkpoint takes the ledger for whole, and signs no less", async () => {
  await award();
  await closeUpTo(1);
  const { deps } = service;
  const db: typeof deps.db = {
    ...deps.db,
    tx: async (work) => {
      await award();
      await closeUpTo(2); // the other node, after this one has read the mark
      return deps.db.tx(work);
    },
  };
  expect(await closeCheckpoint({ ...deps, db })).not.toMatchObject({ kind: "altered" });
  expect(await covered()).toBe(2);
});
