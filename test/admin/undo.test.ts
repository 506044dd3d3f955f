import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdjustmentBody, TimelineEntry } from "../../src/admin/customers/schema.ts";
import { customerWithPoints, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";

let service: TestService;
let support: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  support = await signIn(service, "support");
});
afterAll(() => stopVerified(service));

/** Days pass, and with them the session. */
async function later(days: number): Promise<void> {
  service.clock.advance({ hours: 24 * days });
  support = await signIn(service, "support");
}

const customerWith = (points: number) => customerWithPoints(service, points);

async function award(id: string, points: number): Promise<void> {
  const body = { customer_id: id, point_value: points };
  expect((await service.client.post("/api/storefront/point_allotments", body)).status).toBe(200);
}

function adjust(id: string, wanted: Partial<AdjustmentBody>, by = support) {
  return by.post(`/customers/${id}/adjustments`, { request_uid: randomUUID(), ...wanted });
}

function undo(id: string, allotment: string) {
  return support.post(`/customers/${id}/adjustments/${allotment}/undo`, { request_uid: randomUUID() });
}

async function timeline(id: string): Promise<TimelineEntry[]> {
  return (await support.get(`/customers/${id}/ledger`)).body.data;
}

async function balance(id: string) {
  return (await support.get(`/customers/${id}`)).body.data;
}

describe("undoing an adjustment", () => {
  test("of points taken gives them back as they were, with their dates", async () => {
    const id = await customerWith(100);
    await later(30);
    const before = (await balance(id)).expiries;
    const taken = await adjust(id, { point_value: -70 });
    const undone = await undo(id, taken.body.data.allotment_uid);
    expect(undone.body.data).toMatchObject({ state: "posted", point_value: 70, missing: 0, balance: 100 });
    expect((await balance(id)).expiries).toEqual(before);
    const [row, undoneRow] = await timeline(id);
    expect(row).toMatchObject({ object: `allotment-${undoneRow?.uid}`, type: "manual", can_undo: false });
    expect(undoneRow).toMatchObject({ undone_by: row?.uid, can_undo: false });
  });

  test("happens once, in a race too", async () => {
    const id = await customerWith(100);
    const { allotment_uid } = (await adjust(id, { point_value: -70 })).body.data;
    const answers = await Promise.all([1, 2, 3].map(() => undo(id, allotment_uid)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await timeline(id)).map(({ point_value }) => point_value)).toEqual([70, -70, 100]);
  });

  test("of points added takes its own first, and what is left of the rest", async () => {
    const id = await customerWith(0);
    const { allotment_uid } = (await adjust(id, { point_value: 100 })).body.data;
    service.clock.advance({ hours: 1 });
    await award(id, 30);
    await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: -60 });
    const preview = await support.get(`/customers/${id}/adjustment-preview?undo=${allotment_uid}`);
    expect(preview.body.data).toMatchObject({ point_value: -70, missing: 30, balance_after: 0 });
    const undone = await undo(id, allotment_uid);
    expect(undone.body.data).toMatchObject({ point_value: -70, missing: 30, balance: 0 });
  });

  test("leaves the points that others gave where its own suffice", async () => {
    const id = await customerWith(40);
    await later(10);
    const { allotment_uid } = (await adjust(id, { point_value: 100 })).body.data;
    const before = (await balance(id)).expiries;
    await undo(id, allotment_uid);
    expect((await balance(id)).expiries).toEqual(before.slice(0, 1));
    expect((await balance(id)).balance.available).toBe(40);
  });

  test("of what was spent to the last point is refused, and may come later", async () => {
    const id = await customerWith(0);
    const { allotment_uid } = (await adjust(id, { point_value: 100 })).body.data;
    await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: -100 });
    const refused = await undo(id, allotment_uid);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].detail).toContain("the balance is 0");
    await award(id, 25);
    expect((await undo(id, allotment_uid)).body.data).toMatchObject({ point_value: -25, missing: 75 });
  });

  test("of points of which some have expired takes none of the others for them", async () => {
    const id = await customerWith(0);
    const { allotment_uid } = (await adjust(id, { point_value: 100 })).body.data;
    await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: -30 });
    await later(800);
    await award(id, 500);
    const preview = async (uid: string) =>
      (await support.get(`/customers/${id}/adjustment-preview?undo=${uid}`)).body.data;
    expect(await preview(allotment_uid)).toMatchObject({ point_value: -30, expired: 70, missing: 0 });
    const answer = await undo(id, allotment_uid);
    expect(answer.body.data).toMatchObject({ point_value: -30, missing: 0, balance: 470 });
    expect((await undo(id, allotment_uid)).body.data).toMatchObject({ state: "posted", point_value: -30 });
  });

  test("of points that have all expired is refused, before they are written off and after", async () => {
    const id = await customerWith(0);
    const { allotment_uid } = (await adjust(id, { point_value: 100 })).body.data;
    await later(800);
    const path = `/customers/${id}/adjustment-preview?undo=${allotment_uid}`;
    for (const points of [0, 40]) {
      if (points > 0) await award(id, points);
      expect((await support.get(path)).body.data).toMatchObject({ refusal: "expired", expired: 100 });
      const refused = await undo(id, allotment_uid);
      expect([refused.status, refused.body.errors[0].detail]).toEqual([400, expect.stringContaining("expired")]);
      expect((await balance(id)).balance.available).toBe(points);
    }
  });

  test.each(["a coupon", "a deduction", "a coupon, to the survivor of a merge"])(
    "of points that came back from %s and expired then takes none of the others",
    async (from) => {
      const [id, keptId] = [await customerWith(0), await customerWith(0)];
      const { allotment_uid } = (await adjust(id, { point_value: 100 })).body.data;
      service.clock.advance({ hours: 1 });
      if (from === "a deduction") {
        const taken = await adjust(id, { point_value: -80 });
        await undo(id, taken.body.data.allotment_uid);
      } else {
        const wanted = { customer_id: id, point_value: 80 };
        const coupon = await service.client.post("/api/storefront/coupons", wanted);
        if (from !== "a coupon") await mergeInto(service.deps, id, keptId);
        await service.client.delete(`/api/storefront/coupons/${coupon.body.data.code}`);
      }
      await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: -30 });
      await later(800);
      await award(id, 500);
      const preview = await support.get(`/customers/${id}/adjustment-preview?undo=${allotment_uid}`);
      expect(preview.body.data).toMatchObject({ point_value: -30, expired: 70, missing: 0 });
      expect((await undo(id, allotment_uid)).body.data).toMatchObject({ point_value: -30, missing: 0, balance: 470 });
    },
  );

  test("of points that a reservation keeps beyond their date takes them, though it ends later", async () => {
    const id = await customerWith(0);
    const body = {
      customer_id: id,
      point_value: 300,
      expires_at: service.clock
        .now()
        .add({ hours: 24 * 900 })
        .toString(),
    };
    expect((await service.client.post("/api/storefront/point_allotments", body)).status).toBe(200);
    const { allotment_uid } = (await adjust(id, { point_value: 100 })).body.data;
    await later(300);
    const wanted = { customer_id: id, point_value: 100, ttl_seconds: 31_000_000 };
    const held = await service.client.post("/api/storefront/reservations", wanted);
    await later(300);
    expect((await undo(id, allotment_uid)).body.data).toMatchObject({ point_value: -100, missing: 0 });
    await service.client.post(`/api/storefront/reservations/${held.body.data.id}/release`);
    expect((await balance(id)).balance.available).toBe(300);
  });

  test("of points that expired with the customer who took them over leaves that one's alone", async () => {
    const [removedId, keptId] = [await customerWith(0), await customerWith(0)];
    const { allotment_uid } = (await adjust(removedId, { point_value: 100 })).body.data;
    await mergeInto(service.deps, removedId, keptId);
    await later(800);
    await award(keptId, 40);
    expect((await undo(keptId, allotment_uid)).status).toBe(400);
    expect((await balance(keptId)).balance.available).toBe(40);
  });

  test("is for what a person adjusted here, of this customer", async () => {
    const id = await customerWith(100);
    const [awarded] = await timeline(id);
    expect((await undo(id, awarded?.uid ?? "")).status).toBe(422);
    const { allotment_uid } = (await adjust(id, { point_value: 10 })).body.data;
    const another = await customerWith(100);
    expect((await undo(another, allotment_uid)).status).toBe(404);
    expect((await undo(id, randomUUID())).status).toBe(404);
    const { allotment_uid: nothing } = (await adjust(id, { balance: 110 })).body.data;
    expect((await undo(id, nothing)).status).toBe(422);
  });

  test("reaches points that a merge has carried to another customer, both ways", async () => {
    const removedId = await customerWith(50);
    const keptId = await customerWith(5);
    const taken = (await adjust(removedId, { point_value: -20 })).body.data.allotment_uid;
    const added = (await adjust(removedId, { point_value: 100 })).body.data.allotment_uid;
    await mergeInto(service.deps, removedId, keptId);
    expect((await undo(keptId, taken)).body.data).toMatchObject({ point_value: 20, balance: 155 });
    expect((await undo(removedId, added)).body.data).toMatchObject({ point_value: -100, missing: 0, balance: 55 });
  });
});
