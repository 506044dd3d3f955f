import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memberIdOf } from "../../../src/customers/member-id.ts";
import { streamStatement } from "../../../src/exports/statement-queries.ts";
import { mergeClaimedMembers } from "../../../src/intake/merge-claimed-members.ts";
import { rewardBirthdays } from "../../../src/rewards/reward-birthdays.ts";
import { evaluateTiers } from "../../../src/tiers/evaluate-tiers.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const API = "/api/storefront";
const RULE = { point_value: 1, currency_value: 100 };
const PROGRAM = {
  store: { currency: "JPY", time_zone: "UTC" },
  rewards: { birthday: 50 },
  tiers: {
    window_months: 12,
    rules: [
      { name: "Bronze", default: true, currency_spent_requirement: 0, ...RULE },
      { name: "Silver", default: false, currency_spent_requirement: 1_000, ...RULE },
      { name: "Gold", default: false, currency_spent_requirement: 9_000_000_000, ...RULE },
    ],
  },
};
const POINTS_MAX = 2n ** 53n - 1n;

let service: TestService;
const lines: string[] = [];
beforeEach(async () => {
  lines.length = 0;
  service = await startTestService({
    ...{ worker: false, now: "2026-01-15T12:00:00Z", program: PROGRAM },
    log: (text) => lines.push(text),
  });
});
afterEach(() => service.stop());

const tierOf = async (id: string) => (await service.client.get(`${API}/point_balances/${id}/tier`)).body.data;

/** A customer whose orders count for so much, each for as much as one order can. */
async function spender(name: string, orders: number, minor: bigint) {
  const { storefrontId, bucket, customerUid } = await makeCustomer(service.deps);
  const text = `insert into order_spend (order_id, bucket, customer_uid, credited_at, spend_minor)
select $1 || n, $2, $3, '2026-01-20T00:00:00Z', $4
from generate_series(1, $5) as n`;
  await service.deps.db.execute(text, [name, bucket, customerUid, minor, orders]);
  return { storefrontId, customerUid };
}

/** Lets every write of a customer's rows in a table fail, as a fault in the data would. */
async function poison(table: string, customerUid: string): Promise<void> {
  await service.owner.execute(`create function poison() returns trigger language plpgsql as
$$ begin
  if new.customer_uid = '${customerUid}' then raise exception 'poison' using errcode = '22003'; end if;
  return new;
end $$`);
  await service.owner.execute(
    `create trigger poison before insert or update on ${table} for each row execute function poison()`,
  );
}

describe("one customer stops nobody else", () => {
  test("spend beyond 2^63 meets the highest tier, and the check goes on for all", async () => {
    const rich = await spender("rich", 1_040, POINTS_MAX);
    const other = await spender("other", 1, 2_000n);
    service.clock.set("2026-02-01T00:00:00Z");
    expect(await evaluateTiers(service.deps)).toBe(2);
    expect(await tierOf(other.storefrontId)).toMatchObject({ tier: "Silver" });
    expect(await tierOf(rich.storefrontId)).toMatchObject({ tier: "Gold", advancement_data: { raw_amount: 0 } });
    const explained = await service.client.get(`${API}/point_balances/${rich.storefrontId}/tier/explanation`);
    expect(explained.status).toBe(200);
    const changes = await service.client.get(`${API}/point_balances/${rich.storefrontId}/tier_changes`);
    expect(changes.body.data).toMatchObject([{ from: "Bronze", to: "Gold" }]);
  });

  test("a tier check passes over who fails, names them, and moves all others", async () => {
    const bad = await spender("bad", 1, 2_000n);
    const others = await Promise.all([1, 2, 3].map((n) => spender(`fine${n}`, 1, 2_000n)));
    await poison("customer_tier", bad.customerUid);
    service.clock.set("2026-02-01T00:00:00Z");
    await expect(evaluateTiers(service.deps)).rejects.toThrow("the tiers of 1 customers were not checked: see the log");
    for (const { storefrontId } of others) expect(await tierOf(storefrontId)).toMatchObject({ tier: "Silver" });
    expect(await tierOf(bad.storefrontId)).toMatchObject({ tier: "Bronze" });
    expect(lines.filter((text) => text.includes(bad.customerUid))).toHaveLength(1);
    expect(await evaluateTiers(service.deps)).toBe(0);
  });

  test("birthdays: who fails is passed over and named, all others are rewarded once", async () => {
    const born: { storefrontId: string; customerUid: string }[] = [];
    for (let n = 0; n < 6; n++) {
      const customer = await makeCustomer(service.deps);
      await service.client.put(`${API}/customers/${customer.storefrontId}`, { birthday: "1990-01-20" });
      born.push(customer);
    }
    const bad = born[2];
    if (bad === undefined) throw new Error("six were made");
    await poison("allotment", bad.customerUid);
    await rewardBirthdays(service.deps);
    service.clock.set("2026-01-20T12:00:00Z");
    await expect(rewardBirthdays(service.deps)).rejects.toThrow("the birthdays of 1 customers were not rewarded");
    expect(await rewardBirthdays(service.deps)).toBe(0);
    const balances = await Promise.all(
      born.map(async ({ storefrontId }) => {
        const { body } = await service.client.get(`${API}/point_balances/${storefrontId}`);
        return body.data.point_balance;
      }),
    );
    expect(balances).toEqual([50, 50, 0, 50, 50, 50]);
    expect(lines.filter((text) => text.includes(bad.customerUid))).toHaveLength(1);
  });

  test("members who turned up: one who cannot be merged is named, and all others are", async () => {
    const { client, deps } = service;
    const pairs = ["full@example.com", "other@example.com"].map((email) => ({ email, id: `of-${email}` }));
    const memberOf = (email: string) => memberIdOf(email, "");
    for (const { email, id } of pairs) {
      await makeCustomer(deps, { storefrontId: memberOf(email), email });
      await client.post(`${API}/point_allotments`, { customer_id: memberOf(email), point_value: 5 });
      service.clock.advance({ seconds: 1 });
      await makeCustomer(deps, { storefrontId: id, email });
    }
    await client.post(`${API}/point_balances/of-full@example.com/set_balances`, { balance: Number(POINTS_MAX) });
    expect(await mergeClaimedMembers(deps)).toBe(1);
    expect(lines.join("\n")).toContain(memberOf("full@example.com"));
    const left = await deps.db.query<{ id: string }>("select member_id as id from member_claim");
    expect(left).toEqual([{ id: memberOf("full@example.com") }]);
    await client.post(`${API}/point_balances/of-full@example.com/set_balances`, { balance: 1 });
    expect(await mergeClaimedMembers(deps)).toBe(1);
    expect((await client.get(`${API}/point_balances/of-full@example.com`)).body.data.point_balance).toBe(6);
  });

  test("a statement and an explanation have sums beyond 2^63 of a customer whose points came and went", async () => {
    const { storefrontId, bucket, customerUid } = await makeCustomer(service.deps);
    const text = `insert into allotment
  (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after, source_key, app_reference, extends, program_version)
select $1, $2, n, gen_random_uuid(), timestamptz '2026-01-10T00:00:00Z' + n * interval '1 second', 'api',
  case n % 2 when 1 then $3::bigint else -$3::bigint end, case n % 2 when 1 then $3::bigint else 0 end, 'api/many' || n, 'test', false, 1
from generate_series(1, 2080) as n`;
    await service.deps.db.execute(text, [bucket, customerUid, POINTS_MAX]);
    await service.deps.db.execute("update balance set version = 2080 where customer_uid = $1", [customerUid]);
    const sum = 1_040n * POINTS_MAX;
    const { text: answer } = await service.client.get(`${API}/point_balances/${storefrontId}/explanation`);
    expect(answer).toContain(`"count":2080,"given":${sum},"taken":-${sum},"points":0`);
    const period = { startAt: Temporal.Instant.from("2026-01-01T00:00:00Z"), endAt: service.clock.now() };
    for await (const rows of streamStatement(service.deps.db, period, { isSliding: true })) {
      expect(rows).toMatchObject([{ customerUid, points_earned: sum, points_spent: -sum, closingBalance: 0n }]);
    }
  });
});
