import { Type } from "typebox";
import type { DemoClient } from "./client.ts";
import { TIME_ZONE } from "./program.ts";
import { count } from "./progress.ts";
import type { Row } from "./report.ts";

const amount = Type.Object({ raw_amount: Type.Integer(), deadline: Type.String() });
const profile = Type.Object({ data: Type.Object({ name: Type.Union([Type.String(), Type.Null()]) }) });
const balance = Type.Object({
  data: Type.Object({ point_balance: Type.Integer(), expires_at: Type.Union([Type.String(), Type.Null()]) }),
});
const tier = Type.Object({ data: Type.Object({ tier: Type.String(), maintenance_data: amount }) });
const allotments = Type.Object({
  data: Type.Array(Type.Object({ type: Type.String(), point_value: Type.Integer() })),
});

const LAST = 4;

/** Returns one customer as the interface shows them: balance, tier, and the latest allotments. */
export async function showCustomer(client: DemoClient, id: string): Promise<{ title: string; rows: Row[] }> {
  const api = "/api/storefront";
  const [who, points, rank, last] = await Promise.all([
    client.call("GET", `${api}/customers/${id}`, profile),
    client.call("GET", `${api}/point_balances/${id}`, balance),
    client.call("GET", `${api}/point_balances/${id}/tier`, tier),
    client.call("GET", `${api}/point_allotments/${id}?direction=desc&per_page=${LAST}`, allotments),
  ]);
  const { tier: name, maintenance_data: keep } = rank.data;
  const { point_balance, expires_at } = points.data;
  const expires = expires_at === null ? "they never expire" : `they expire on ${shopDay(expires_at)}`;
  const keeping =
    keep.raw_amount > 0
      ? `${count(keep.raw_amount)} yen more before ${shopDay(keep.deadline)} to keep it`
      : `safe at the check of ${shopDay(keep.deadline)}`;
  return {
    title: `The best customer: ${who.data.name ?? "no name"} (${id})`,
    rows: [
      ["points", count(point_balance), expires],
      ["tier", name, keeping],
      ["last allotments", ""],
      ...last.data.map(({ type, point_value }): Row => [`  ${type}`, count(point_value)]),
    ],
  };
}

/** Returns the day of a time, in the shop's time zone. */
function shopDay(time: string): string {
  return Temporal.Instant.from(time).toZonedDateTimeISO(TIME_ZONE).toPlainDate().toString();
}
