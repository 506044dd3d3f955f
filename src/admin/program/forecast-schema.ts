import { type Static, Type } from "typebox";

export const forecastBody = Type.Object({
  document: Type.Unknown(),
  base_version: Type.Integer({ minimum: 1 }),
  /** Its place in the document's list. */
  campaign: Type.Integer({ minimum: 0, maximum: 10_000 }),
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
    /** The days that were replayed; the end is not in them. */
    from: Type.String(),
    to: Type.String(),
    orders_of_days: Type.Integer(),
    looked_at: Type.Integer(),
    /** How many times as long as the days the campaign is. */
    times: Type.Number(),
    /** Minor units of the store's currency: what the points beside the usual ones are worth in coupons. */
    worth_more: Type.Integer(),
    tiers: Type.Array(Type.Object({ name: Type.String(), ...sums })),
  }),
});
export type ShownForecast = Static<typeof forecastAnswer>["data"];
