import { type Static, Type } from "typebox";

export const forecastBody = Type.Object({
  document: Type.Unknown(),
  base_version: Type.Integer({ minimum: 1 }),
  /** The start of the campaign. No two campaigns have the same one, and the document's list may be in any order. */
  starts_at: Type.String({ format: "date-time" }),
});

const sums = {
  orders: Type.Integer(),
  customers: Type.Integer(),
  points_without: Type.Integer(),
  points_with: Type.Integer(),
};

export const forecastAnswer = Type.Object({
  data: Type.Object({
    ...sums,
    /** The days that were replayed; the end is not included. */
    from: Type.String(),
    to: Type.String(),
    orders_of_days: Type.Integer(),
    looked_at: Type.Integer(),
    /** The length of the campaign divided by that of the replayed days. */
    times: Type.Number(),
    /** What the additional points are worth in coupons, in minor units of the store's currency. */
    worth_more: Type.Integer(),
    tiers: Type.Array(Type.Object({ name: Type.String(), ...sums })),
  }),
});
export type ShownForecast = Static<typeof forecastAnswer>["data"];
