import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { selectImport } from "../../../src/imports/queries.ts";
import { workImports } from "../../../src/imports/work-imports.ts";
import { mergeClaimedMembers } from "../../../src/intake/merge-claimed-members.ts";
import { MOVE_KINDS, moveUidOf } from "../../../src/moving-in/move.ts";
import { moveKind } from "../../../src/moving-in/move-kind.ts";
import { undoMove } from "../../../src/moving-in/undo-move.ts";
import { reviewOrders } from "../../../src/orders/review/review-orders.ts";
import { mergeInto } from "../../support/customers.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import {
  addMove,
  addOrder,
  balanceOf,
  idOf,
  isMember,
  join,
  type Move,
  type Op,
  of,
  op,
  type Person,
  removeMove,
  type Story,
  sum,
} from "../../support/merge-story.ts";
import { memberMove } from "../../support/move-uploads.ts";
import { cancelled } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { sale } from "../../support/order-sale.ts";

// Another story: FC_SEED=7 npx vitest run test/flows/customers/merge-stories; with SHRINK=1 a failure is reduced to the smallest story

const CUSTOMERS = 4;
const START = 5_000;
const BY = { uid: "00000000-0000-0000-0000-000000000000", name: "test" };
const PATH = "/api/storefront";
const TIERS = ["Bronze", "Silver", "Gold"];

let flow: OrderFlow;
let stories = 0;
beforeAll(async () => {
  const rules = TIERS.map((name, i) => ({
    ...{ name, default: i === 0, currency_spent_requirement: i * 15_000, currency_value: 100, point_value: 1 },
  }));
  flow = await startOrderFlow({ program: { expiration: { delay_months: 60 }, tiers: { rules } } });
});
afterAll(() => flow.stop());

async function begin(): Promise<Story> {
  const story: Story = {
    ...{ name: `s${++stories}`, count: 0, people: [], orders: [], moves: [], coupons: [], holds: [] },
    gone: new Set(),
  };
  for (let each = 0; each < CUSTOMERS; each++) {
    const id = `${story.name}-c${each}`;
    const email = each === 0 ? null : `${id}@stories.example`;
    await flow.customer(id, email === null ? {} : { email });
    await flow.give(id, START);
    story.people.push({ ids: [id], email, points: START, held: 0, onlyOf: null, alsoOf: new Set() });
  }
  return story;
}

async function post(path: string, wanted: object) {
  const { status, body, text } = await flow.client.post(`${PATH}/${path}`, wanted);
  if (status >= 300) throw new Error(`${path}: ${text}`);
  return body.data;
}

const tierOf = async (id: string): Promise<number> =>
  TIERS.indexOf((await flow.client.get(`${PATH}/point_balances/${id}/tier`)).body.data.tier?.name ?? "Bronze");

async function act(story: Story, step: Op): Promise<void> {
  switch (step.kind) {
    case "merge":
      return merge(story, idOf(story, step.who).id, idOf(story, step.into).id);
    case "order": {
      const { person, id } = idOf(story, step.who);
      person.onlyOf = null;
      const knownAt = flow.clock.now();
      const placedAt = step.isEarlier ? knownAt.subtract({ hours: 24 * 30 }) : knownAt;
      const order = `${story.name}-o${++story.count}`;
      await flow.take(...sale(order, id, step.hundreds * 100, { processedAt: placedAt }));
      return addOrder(story, { id: order, person, points: step.hundreds, placedAt, knownAt });
    }
    case "again": {
      const order = of(story.orders, step.which);
      if (order === undefined) return;
      const id = of(order.person.ids, step.who) ?? "";
      return flow.take(...sale(order.id, id, order.points * 100, { processedAt: order.placedAt }));
    }
    case "cancel": {
      const order = of(story.orders, step.which);
      if (order === undefined) return;
      order.isCancelled = true;
      return flow.take(...ofOrder(order.id, order.person.ids[0] ?? "", [cancelled(3)]));
    }
    case "give": {
      const { person, id } = idOf(story, step.who);
      if (person.points - person.held < -step.points) return;
      person.onlyOf = null;
      person.points += step.points;
      await post("point_allotments", { customer_id: id, point_value: step.points });
      return;
    }
    default:
      return actLonger(story, step);
  }
}

async function actLonger(story: Story, step: Op): Promise<void> {
  switch (step.kind) {
    case "coupon": {
      const { person, id } = idOf(story, step.who);
      if (person.points - person.held < step.points) return; // what else they have may be taken back
      person.onlyOf = null;
      person.points -= step.points;
      const { code } = await post("coupons", { customer_id: id, point_value: step.points });
      story.coupons.push({ person, code, points: step.points });
      return;
    }
    case "end coupon": {
      const coupon = of(story.coupons, step.which);
      if (coupon === undefined) return;
      story.coupons.splice(story.coupons.indexOf(coupon), 1);
      coupon.person.points += coupon.points;
      expect((await flow.client.delete(`${PATH}/coupons/${coupon.code}`)).status).toBe(200);
      return;
    }
    case "hold": {
      const { person, id } = idOf(story, step.who);
      if (person.points - person.held < step.points) return;
      person.onlyOf = null;
      person.held += step.points;
      const held = await post("reservations", { customer_id: id, point_value: step.points, ttl_seconds: 31_536_000 });
      story.holds.push({ person, id: held.id, points: step.points });
      return;
    }
    case "end hold": {
      const hold = of(story.holds, step.which);
      if (hold === undefined) return;
      story.holds.splice(story.holds.indexOf(hold), 1);
      hold.person.held -= hold.points;
      hold.person.points -= step.taken;
      if (step.taken === 0) await post(`reservations/${hold.id}/release`, {});
      else await post(`reservations/${hold.id}/capture`, { point_value: step.taken });
      return;
    }
    case "move":
      return move(story, step);
    case "undo":
      return undo(story, of(story.moves, step.which));
    case "appear":
      return appear(
        story,
        of(
          story.people.filter(({ email, ids }) => email !== null && ids.length === 1 && isMember(email)),
          step.which,
        ),
      );
    default:
      return;
  }
}

async function merge(story: Story, removedId: string, keptId: string): Promise<void> {
  const [removed, kept] = [removedId, keptId].map((id) => story.people.find(({ ids }) => ids.includes(id)));
  if (removed === undefined || kept === undefined) throw new Error("ids are of people");
  const ranks = await Promise.all([tierOf(removedId), tierOf(keptId)]);
  await mergeInto(flow.deps, removedId, keptId);
  if (removed === kept || story.gone.has(removedId)) return; // an id that was merged away is nobody's to merge
  join(story, removed, kept);
  story.gone.add(removedId);
  expect(await tierOf(keptId)).toBeGreaterThanOrEqual(Math.max(...ranks));
}

const work = async (uid: string) => {
  await workImports(flow.deps);
  return selectImport(flow.deps.db, uid);
};

/** A file of another app, with members who are new and some who are customers, whose balances it may set. */
async function move(story: Story, { rows: wanted, setsBalance }: Extract<Op, { kind: "move" }>) {
  const startedAt = flow.clock.now();
  const known = story.people.filter(({ email }) => email !== null);
  const rows: Move["rows"] = [];
  const lines: string[] = [];
  const made: Person[] = [];
  for (const { who, isNew, points, spent } of wanted) {
    const found = isNew ? undefined : of(known, who);
    if (setsBalance && rows.some(({ person }) => person === found)) continue; // a second row of a balance that is set is a fault
    const email = found?.email ?? `${story.name}-m${++story.count}@stories.example`;
    const person: Person = found ?? { ids: [], email, points: 0, held: 0, onlyOf: null, alsoOf: new Set() };
    if (found === undefined) made.push(person);
    const isSet = setsBalance && found !== undefined;
    const stated = isSet ? START + points : points; // enough for all that may be taken back later
    rows.push({ person, stated, points: isSet ? stated - balanceOf(story, person) : points, spent });
    lines.push(`${email},${stated},${spent}`);
  }
  const file = { ...memberMove(flow, lines, "email,points_approved,total_spent"), again: true, setsBalance };
  const onLeftOut = async () => {
    throw new Error("a row was left out");
  };
  for (const kind of MOVE_KINDS) await moveKind(flow.deps, file, kind, { by: BY, work, onLeftOut });
  const one: Move = { file, startedAt, rows };
  addMove(story, one);
  for (const person of made) {
    person.ids.push((await liveIdOf(person)) ?? "");
    person.onlyOf = one;
    story.people.push(person);
  }
  for (const { person } of rows) if (person.onlyOf !== one) person.alsoOf.add(one);
}

async function liveIdOf({ email }: Person): Promise<string | undefined> {
  const [row] = await flow.deps.db.query<{ id: string }>(
    "select storefront_id as id from customer where email = $1 and deleted_at is null",
    [email],
  );
  return row?.id;
}

async function undo(story: Story, done: Move | undefined): Promise<void> {
  if (done === undefined) return;
  const parts = await undoMove(flow.deps, moveUidOf(done.file), { by: BY, work });
  expect(parts.map(({ state }) => state)).toEqual(parts.map(() => "undone"));
  removeMove(story, done);
  for (const { alsoOf } of story.people) alsoOf.delete(done);
  for (const person of story.people.filter(({ onlyOf }) => onlyOf === done)) {
    person.onlyOf = null;
    if (person.alsoOf.size > 0) continue;
    expect(await liveIdOf(person), "a member whom only this file knows").toBeUndefined();
    story.people.splice(story.people.indexOf(person), 1);
  }
}

/** The platform's customer appears with the address of a member. */
async function appear(story: Story, member: Person | undefined): Promise<void> {
  if (member === undefined || member.email === null) return;
  const id = `${story.name}-p${++story.count}`;
  await flow.customer(id, { email: member.email });
  await mergeClaimedMembers(flow.deps);
  const customer: Person = { ids: [id], email: member.email, points: 0, held: 0, onlyOf: null, alsoOf: new Set() };
  story.people.push(customer);
  story.gone.add(member.ids[0] ?? "");
  join(story, member, customer);
}

async function expectSums(story: Story, ids = 1): Promise<void> {
  for (const person of story.people) {
    const some = person.ids.slice(-ids);
    const shown = await Promise.all(some.map((id) => flow.balance(id)));
    expect([some, shown]).toEqual([some, some.map(() => balanceOf(story, person))]);
  }
  for (const order of story.orders) {
    const spend = order.inFiles.spend || order.isCancelled ? 0n : BigInt(order.points * 100);
    expect([order.id, (await flow.spend(order.id)) ?? 0n]).toEqual([order.id, spend]);
  }
}

/** What files gave is kept by whoever has it now, and nothing of files that were undone. */
async function expectKept(story: Story): Promise<void> {
  const rows = await flow.deps.db.query<{ id: string; points: number; spent: number }>(
    `select c.storefront_id as id,
  sum(k.points)::int as points,
  sum(k.spent)::int as spent
from (
  select m.bucket, m.customer_uid, m.points, 0 as spent from moved_points m
  union all
  select b.bucket, b.customer_uid, 0, b.spend_minor from customer_spend_base b) k
join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
where c.storefront_id like $1 or c.email like $1
group by c.storefront_id
having sum(k.points) + sum(k.spent) > 0`,
    [`${story.name}-%`],
  );
  const kept = story.people.flatMap((person) => {
    const moved = story.moves.flatMap((each) => each.rows.filter((row) => row.person === person));
    const of = { points: sum(moved.map(({ stated }) => stated)), spent: sum(moved.map(({ spent }) => spent)) };
    return of.points + of.spent === 0 ? [] : [{ id: person.ids.find((id) => !story.gone.has(id)), ...of }];
  });
  const byId = (a: { id?: string | undefined }, b: { id?: string | undefined }) =>
    (a.id ?? "") < (b.id ?? "") ? -1 : 1;
  expect(rows.toSorted(byId)).toEqual(kept.toSorted(byId));
}

test("nothing is lost or doubled, whoever becomes one, and undoing a move afterwards takes what it gave", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 8, maxLength: 20 }), async (steps) => {
      const story = await begin();
      for (const step of steps) {
        flow.clock.advance({ hours: 3 });
        await act(story, step);
        flow.clock.advance({ hours: 1 });
        await reviewOrders(flow.deps);
        await expectSums(story);
      }
      await expectSums(story, Number.POSITIVE_INFINITY);
      await expectKept(story);
      while (story.moves.length > 0) await undo(story, story.moves[0]);
      await reviewOrders(flow.deps);
      await expectSums(story);
      await expectKept(story);
    }),
    { numRuns: exampleRuns(4), endOnFailure: process.env["SHRINK"] === undefined },
  );
  expect(await flow.faults()).toEqual([]);
});
