import { Type } from "typebox";
import { Value } from "typebox/value";
import type { DemoClient } from "../client.ts";
import { count } from "../progress.ts";
import type { Check } from "../report.ts";
import type { DemoShop } from "./start-shop.ts";

const token = Type.Object({ token: Type.Union([Type.String(), Type.Null()]) });
const summary = Type.Object({ data: Type.Object({ points: Type.Integer() }) });
const balance = Type.Object({ data: Type.Object({ point_balance: Type.Integer() }) });

/**
 * Sends requests like a page of the shop: with the token that the shop's server signs for the signed-in customer, and without one if nobody is signed
 * in.
 */
export async function checkShop(
  client: DemoClient,
  { shop, service, customerId }: { readonly shop: DemoShop; readonly service: string; readonly customerId: string },
): Promise<Check> {
  const name = "a page of the shop shows its customer's balance, and nobody's without signing in";
  const signed = await fetchToken(shop, `customer=${customerId}`);
  const unsigned = await fetchToken(shop, "");
  if (signed === null || unsigned !== null) return { name, fault: "the shop signed for the wrong one" };
  const headers = { authorization: `Bearer ${signed}`, origin: shop.url };
  const answer: unknown = await (await fetch(`${service}/api/customer/summary`, { headers })).json();
  if (!Value.Check(summary, answer)) return { name, fault: JSON.stringify(answer) };
  const path = `/api/storefront/point_balances/${customerId}`;
  const known = (await client.call("GET", path, balance)).data.point_balance;
  const shown = answer.data.points;
  return { name, fault: shown === known ? "" : `${count(shown)} points, not ${count(known)}` };
}

async function fetchToken(shop: DemoShop, cookie: string): Promise<string | null> {
  const answer: unknown = await (await fetch(`${shop.url}/points-token`, { headers: { cookie } })).json();
  return Value.Check(token, answer) ? answer.token : null;
}
