import { expect, test } from "vitest";
import { recordRefusalRests } from "../../src/staff/sign-in/record-refusal-rests.ts";
import { createAuthenticator } from "../support/authenticator.ts";
import { createClient } from "../support/client.ts";
import { startTestService } from "../support/service.ts";
import { CSRF, signIn } from "../support/staff.ts";

const SITE = { origin: "https://points.example", rpId: "points.example" };
const ADDRESSES = 100;
const ATTEMPTS = 6;
/** More at once wait so long on a busy machine that some are refused with 503, and are no attempts. */
const TOGETHER = 20;

interface Entry {
  readonly address: string | null;
  readonly failures: number;
  readonly addresses: string | null;
}

const ENTRIES = `select address,
  coalesce((after ->> 'failures')::int, 1) as failures,
  after ->> 'addresses' as addresses
from audit_entry
where action = 'staff.sign_in_failed'
  and subject_id = 'unknown'
order by id`;

test("sign-ins of strangers from any number of addresses make few entries of the audit log, and all are told", async () => {
  const service = await startTestService({ worker: false, config: { proxies: 1, publicUrl: SITE.origin } });
  const { db } = service.deps;
  await signIn(service, "owner");
  const client = createClient(`${service.url}/admin/api`, null);
  const unknown = createAuthenticator(SITE);
  const { challenge } = (await client.post("/session/passkey/challenge", undefined, CSRF)).body.data;
  const passkey = unknown.answer(challenge);
  const knock = async (address: string) =>
    (await client.post("/session/passkey", { passkey }, { ...CSRF, "x-forwarded-for": address })).status;
  for (let n = 0; n < ATTEMPTS; n++) {
    for (let from = 0; from < ADDRESSES; from += TOGETHER) {
      const statuses = await Promise.all(Array.from({ length: TOGETHER }, (_, i) => knock(`198.51.100.${from + i}`)));
      expect(new Set(statuses)).toEqual(new Set([401]));
    }
  }
  expect((await db.query(ENTRIES)).length).toBeLessThanOrEqual(200);
  service.clock.advance({ hours: 1 });
  await recordRefusalRests(service.deps);
  const entries = await db.query<Entry>(ENTRIES);
  expect(entries.length).toBeLessThanOrEqual(250);
  expect(entries.reduce((sum, { failures }) => sum + failures, 0)).toBe(ADDRESSES * ATTEMPTS);
  expect(entries.some(({ address, addresses }) => address === null && addresses === "others")).toBe(true);
  expect([await recordRefusalRests(service.deps), await db.query("select from sign_in_refusal")]).toEqual([0, []]);
  await service.stop();
});

test("the lockout of a person by many addresses, of which the audit log lists few, is told with its address", async () => {
  const service = await startTestService({ worker: false, config: { proxies: 1, publicUrl: SITE.origin } });
  const { email, uid } = await signIn(service, "owner");
  const client = createClient(`${service.url}/admin/api`, null);
  const statuses: number[] = [];
  for (let n = 1; n <= 51; n++) {
    const headers = { ...CSRF, "x-forwarded-for": `203.0.113.${n}` };
    statuses.push((await client.post("/session", { email, password: "x" }, headers)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 50 }, () => 401), 429]);
  const lockouts = await service.deps.db.query(
    "select address from audit_entry where action = 'staff.locked_out' and subject_id = $1",
    [uid],
  );
  expect(lockouts).toEqual([{ address: "203.0.113.50" }]);
  await service.stop();
});
