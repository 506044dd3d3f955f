import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkSettings } from "../../../src/audit/check-settings.ts";
import { checkLedger } from "../../../src/ledger/verify/check-ledger.ts";
import { changeProgram } from "../../../src/tiers/change-program.ts";
import { TIER_CHECKS } from "../../../src/tiers/tier-checks.ts";
import { addReceiver } from "../../../src/webhooks/subscriptions/add-receiver.ts";
import { mergeInto } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signIn } from "../../support/staff.ts";

const API = "/api/storefront";
const RULES = [{ name: "Basic" }, { name: "Gold", currency_spent_requirement: 50_000 }, { name: "Black" }];
const TIERS = { rules: RULES.map((rule, i) => ({ currency_spent_requirement: i * 50_000, ...rule })) };
const ANN = "(select customer_uid from customer where storefront_id = 'ann')";
const BOB = "(select customer_uid from customer where storefront_id = 'bob')";
const BLACK = `(select (document #>> '{tiers,rules,2,uid}')::uuid from program_version order by version desc limit 1)`;

let service: TestService;

const change = (document: object) =>
  changeProgram(service.deps, { document, author: "command line", isDryRun: false, isNow: false });

beforeAll(async () => {
  service = await startTestService({ worker: false, program: { tiers: TIERS } });
  const { client } = service;
  for (const id of ["ann", "bob", "friend", "gone"]) {
    await client.put(`${API}/customers/${id}`, {});
    await client.post(`${API}/point_allotments`, { customer_id: id, point_value: 100 });
  }
  const { status } = await client.post(`${API}/point_balances/ann/tiers`, { tier: "Gold" });
  expect(status).toBe(200);
  await mergeInto(service.deps, "friend", "bob");
  await client.delete(`${API}/customers/gone`);
  await change({ coupons: { point_worth: 2 } });
  await change({ coupons: { point_worth: 3 } });
  for (const role of ["owner", "support"] as const) await signIn(service, role);
  await client.post(`${API}/webhooks`, { topic: "point_balance/update", callback_url: "http://127.0.0.1:9/hook" });
  const second = { topic: "point_balance/update", callbackUrl: "http://127.0.0.1:9/second" } as const;
  await service.deps.db.tx((tx) => addReceiver(tx, service.deps, second));
  await service.owner.execute("update staff set disabled_at = now() where role = 'support'");
  await service.owner.execute("update staff set disabled_at = null where role = 'support'");
});
afterAll(() => service.stop());

/** What `verify` finds after some statements of somebody who may change every row and turned the triggers off; they are undone. */
async function foundAfter(...statements: readonly string[]): Promise<string[]> {
  const undone = new Error("undone");
  const found: string[] = [];
  const onFault = ({ check, found: what }: { check: string; found: string }) => void found.push(`${check}: ${what}`);
  await service.owner
    .txWithReads(async (tx, reads) => {
      await tx.execute("set local session_replication_role = replica");
      for (const statement of statements) expect(await tx.execute(statement), statement).toBeGreaterThan(0);
      const db = { ...reads, reading: <T>(work: (one: typeof reads) => Promise<T>) => work(reads) };
      await checkLedger(db, { onFault, more: TIER_CHECKS });
      found.push(...(await checkSettings(db)).map((what) => `settings: ${what}`));
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return found;
}

describe("what is not in the ledger, changed by hand", () => {
  test("nothing is found before: with merged and deleted customers, a changed person and three versions of the program", async () => {
    expect(await foundAfter()).toEqual([]);
  });

  test.each([
    [
      "a storefront id that leads to another customer",
      /^customers: storefront id ann leads to customer/,
      [
        `update customer_alias a set (bucket, customer_uid) = (select bucket, customer_uid from customer where storefront_id = 'bob') where a.storefront_id = 'ann'`,
      ],
    ],
    [
      "a storefront id taken away",
      /^customers: storefront id ann leads to nobody/,
      ["delete from customer_alias where storefront_id = 'ann'"],
    ],
    [
      "a customer raised to a tier that they never reached",
      /^tiers: the tier is/,
      [`update customer_tier set tier_uid = ${BLACK} where customer_uid = ${ANN}`],
    ],
    [
      "a customer put into a tier for the first time",
      /^tiers: the tier is/,
      [
        `insert into customer_tier (bucket, customer_uid, tier_uid, changed_at)
          select bucket, customer_uid, ${BLACK}, now() from customer where customer_uid = ${BOB}`,
      ],
    ],
    [
      "a person made an owner",
      /^settings: staff \S+: role is "owner"; the audit log says "support"/,
      ["update staff set role = 'owner' where role = 'support'"],
    ],
    [
      "a person disabled",
      /^settings: staff \S+: disabled_at is true; the audit log says false/,
      ["update staff set disabled_at = now() where role = 'support'"],
    ],
    [
      "a person added",
      /^settings: staff \S+: the audit log does not say that the person was added/,
      [
        `insert into staff (uid, email, name, role, password_hash, password_at, created_at)
          values (gen_random_uuid(), 'mallory@example.com', 'M', 'owner', 'x', now(), now())`,
      ],
    ],
    [
      "a credential with more scopes",
      /^settings: credential \S+: scopes is /,
      ["update credential set scopes = '{admin}'"],
    ],
    [
      "deliveries sent elsewhere",
      /^settings: subscription point_balance\/update: callback_url is "http:\/\/127.0.0.1:8/,
      ["update subscription set callback_url = 'http://127.0.0.1:8/hook' where not is_additional"],
    ],
    [
      "the newest version of the program",
      /^settings: version 4 of the program differs from the one before it/,
      [
        `update program_version set document = jsonb_set(document::jsonb, '{coupons,point_worth}', '100')
          where version = (select max(version) from program_version)`,
      ],
    ],
    [
      "an earlier version of the program",
      /^settings: version 3 of the program differs from the one before it/,
      [
        `update program_version set document = jsonb_set(document::jsonb, '{earning,point_value}', '100') where version = 3`,
      ],
    ],
    [
      "a version of the program added",
      /^settings: version 5 of the program is not in the audit log/,
      [
        `insert into program_version (version, uid, document, author, created_at, valid_from)
          select 5, gen_random_uuid(), document, author, created_at, valid_from from program_version where version = 4`,
      ],
    ],
    [
      "the newest version of the program taken away",
      /^settings: version 4 of the program is gone/,
      ["delete from program_version where version = 4"],
    ],
  ])("%s: found", async (_what, found, statements) => {
    const faults = await foundAfter(...statements);
    expect(faults.length, faults.join("\n")).toBeGreaterThan(0);
    expect(faults[0]).toMatch(found);
  });

  test.each([
    [
      "two customers exchange their ids in both tables",
      [
        `update customer_alias a set (bucket, customer_uid) = (select c.bucket, c.customer_uid from customer c
          where c.storefront_id = case a.storefront_id when 'ann' then 'bob' else 'ann' end) where storefront_id in ('ann', 'bob')`,
        `update customer set storefront_id = case storefront_id when 'ann' then 'bob' else 'ann' end where storefront_id in ('ann', 'bob')`,
      ],
    ],
    [
      "a tier, with a change of tier that was never made",
      [
        `update customer_tier set tier_uid = ${BLACK} where customer_uid = ${ANN}`,
        `insert into tier_change (bucket, customer_uid, uid, changed_at, to_uid, cause)
          select bucket, customer_uid, gen_random_uuid(), now(), ${BLACK}, 'api' from customer_tier where customer_uid = ${ANN}`,
      ],
    ],
    ["a floor of tiers", [`update customer_tier set minimum_tier_uid = ${BLACK} where customer_uid = ${ANN}`]],
    ["a customer's name", [`update customer set name = 'Mallory' where customer_uid = ${ANN}`]],
  ])("%s: not found, as docs/ledger-proofs.md says", async (_what, statements) => {
    expect(await foundAfter(...statements)).toEqual([]);
  });
});
