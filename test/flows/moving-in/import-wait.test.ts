import { afterAll, beforeAll, expect, test } from "vitest";
import { workImport } from "../../../src/commands/work-import.ts";
import { startCheck } from "../../../src/imports/check/start-check.ts";
import { importLeases, selectLeaseSeconds } from "../../../src/imports/lease-queries.ts";
import { storeUpload } from "../../../src/imports/store-upload.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

// A command that finds an import under the lease of a process that was killed.

const BY = { uid: "00000000-0000-0000-0000-000000000000", name: "test" };
const LEFT_S = 15;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:00:00Z" });
});
afterAll(() => service.stop());

test("it knows how long the lease lasts, and goes on by itself when it is over", async () => {
  const { deps } = service;
  await makeCustomer(deps, { email: "waits@import.example" });
  async function* bytes() {
    yield Buffer.from("email,points\nwaits@import.example,10\n");
  }
  const file = await storeUpload(deps, { kind: "points", fileName: "waits.csv", bytes: bytes(), by: BY });
  await deps.db.tx((tx) => startCheck(tx, deps, file.uid, { settings: file, by: BY }));
  const lease = await importLeases.claim(deps.db, deps.random.uid());
  expect(lease?.uid).toBe(file.uid);
  if (lease === undefined) return;
  await importLeases.postpone(deps.db, lease, LEFT_S);

  const left = await selectLeaseSeconds(deps.db, file.uid);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(LEFT_S);
  const done = await workImport(deps, file.uid, "check"); // says it after five seconds, and goes on
  expect(done.state).toBe("checked");
  expect(await selectLeaseSeconds(deps.db, file.uid)).toBe(undefined);

  const ofClockAhead =
    "update import set state = 'checking', lease_until = clock_timestamp() + interval '1 year' where uid = $1";
  await deps.db.execute(ofClockAhead, [file.uid]);
  expect(await selectLeaseSeconds(deps.db, file.uid)).toBe(undefined);
  expect((await importLeases.claim(deps.db, deps.random.uid()))?.uid).toBe(file.uid);
});
