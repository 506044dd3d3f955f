import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { AdjustmentBody } from "../../src/admin/customers/schema.ts";
import type { AdminClient } from "./staff.ts";

type Wanted = Partial<AdjustmentBody>;

/** Adjustments and the decisions about them in the dashboard; `support` is who adjusts when nobody is named. */
export function createApprovals(of: () => { readonly support: AdminClient }) {
  const adjust = (id: string, wanted: Wanted, by: AdminClient = of().support) =>
    by.post(`/customers/${id}/adjustments`, { request_uid: randomUUID(), ...wanted });

  /** Requests an adjustment that needs approval. Returns the request's uid. */
  async function requested(id: string, wanted: Wanted, by?: AdminClient): Promise<string> {
    const { body } = await adjust(id, wanted, by);
    expect(body.data).toMatchObject({ state: "waiting", allotment_uid: null });
    return body.data.request_uid;
  }

  const decide = (by: AdminClient, uid: string, how: "approve" | "refuse" | "withdraw", body: object = {}) =>
    by.post(`/approvals/${uid}/${how}`, body);

  /** Returns the available points of a customer. */
  const points = async (id: string): Promise<number> =>
    (await of().support.get(`/customers/${id}`)).body.data.balance.available;

  return { adjust, requested, decide, points };
}
