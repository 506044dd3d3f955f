import { Type } from "typebox";
import { type DemoClient, IN_FLIGHT } from "./client.ts";
import { runConcurrently } from "./run-concurrently.ts";

const balanceAnswer = Type.Object({ data: Type.Object({ point_balance: Type.Integer() }) });

export async function readBalance(client: DemoClient, customerId: string): Promise<bigint> {
  const { data } = await client.call("GET", `/api/storefront/point_balances/${customerId}`, balanceAnswer);
  return BigInt(data.point_balance);
}

export async function sumBalances(client: DemoClient, customerIds: readonly string[]): Promise<bigint> {
  let sum = 0n;
  await runConcurrently(customerIds, IN_FLIGHT, async (id) => {
    const points = await readBalance(client, id);
    sum += points;
  });
  return sum;
}
