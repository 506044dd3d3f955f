const HEAD = `
import { strict as assert } from "node:assert";
const url = process.env["SERVICE_URL"] ?? "";
const authorization = process.env["SERVICE_AUTHORIZATION"] ?? "";
`;

/** Programs that use a generated client as its readers would: create, list by pages, read a balance, be refused. */
export const DRIVERS: Readonly<Record<string, string>> = {
  "openapi-typescript": `${HEAD}
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi-typescript/types";

async function main(): Promise<void> {
  const client = createClient<paths>({ baseUrl: url, headers: { authorization } });
  for (const point_value of [30, 12]) {
    const body: components["schemas"]["NewPointAllotment"] = { customer_id: "c1", point_value };
    assert.equal((await client.POST("/api/storefront/point_allotments", { body })).response.status, 200);
  }
  const path = { storefront_customer_id: "c1" };
  const seen: number[] = [];
  for (let page = 1, more = true; more; page++) {
    const query = { page, per_page: 1 };
    const { data } = await client.GET("/api/storefront/point_allotments/{storefront_customer_id}", { params: { path, query } });
    seen.push(...(data?.data ?? []).map((one) => one.point_value));
    more = data?.meta.has_more ?? false;
  }
  assert.deepEqual(seen, [30, 12]);
  const balance = await client.GET("/api/storefront/point_balances/{storefront_customer_id}", { params: { path } });
  assert.equal(balance.data?.data.point_balance, 42);
  const nobody = { storefront_customer_id: "nobody" };
  const refused = await client.GET("/api/storefront/point_balances/{storefront_customer_id}", { params: { path: nobody } });
  assert.equal(refused.error?.errors[0]?.code, "customer_not_found");
}
main();
`,
  "hey-api": `${HEAD}
import { client } from "./hey-api/client.gen";
import { createPointAllotment, getPointBalance, listCustomerPointAllotments } from "./hey-api/sdk.gen";

async function main(): Promise<void> {
  client.setConfig({ baseUrl: url, headers: { authorization } });
  for (const point_value of [30, 12]) {
    const { error } = await createPointAllotment({ body: { customer_id: "c2", point_value } });
    assert.equal(error, undefined);
  }
  const path = { storefront_customer_id: "c2" };
  const seen: number[] = [];
  for (let page = 1, more = true; more; page++) {
    const { data } = await listCustomerPointAllotments({ path, query: { page, per_page: 1 } });
    seen.push(...(data?.data ?? []).map((one) => one.point_value));
    more = data?.meta.has_more ?? false;
  }
  assert.deepEqual(seen, [30, 12]);
  assert.equal((await getPointBalance({ path })).data?.data.point_balance, 42);
  const refused = await getPointBalance({ path: { storefront_customer_id: "nobody" } });
  assert.equal(refused.error?.errors[0]?.code, "customer_not_found");
}
main();
`,
  orval: `${HEAD}
import { createPointAllotment, getPointBalance, listCustomerPointAllotments } from "./orval/client";

async function main(): Promise<void> {
  const options = { headers: { authorization } };
  for (const point_value of [30, 12]) {
    const created = await createPointAllotment({ customer_id: "c3", point_value }, options);
    assert.equal(created.status, 200);
  }
  const seen: number[] = [];
  for (let page = 1, more = true; more; page++) {
    const listed = await listCustomerPointAllotments("c3", { page, per_page: 1 }, options);
    if (listed.status !== 200) throw new Error("not listed");
    seen.push(...listed.data.data.map((one) => one.point_value));
    more = listed.data.meta.has_more;
  }
  assert.deepEqual(seen, [30, 12]);
  const balance = await getPointBalance("c3", undefined, options);
  assert.ok(balance.status === 200 && balance.data.data.point_balance === 42);
  const refused = await getPointBalance("nobody", undefined, options);
  assert.ok(refused.status === 404 && refused.data.errors[0]?.code === "customer_not_found");
}
main();
`,
};

export const PYTHON_DRIVER = `
import os
from pointkeeper.client import AuthenticatedClient
from pointkeeper.api.point_allotments import create_point_allotment, list_customer_point_allotments
from pointkeeper.api.point_balances import get_point_balance
from pointkeeper.models import CustomerPointAllotmentList, ErrorResponse, NewPointAllotment, PointBalanceAnswer

prefix, token = os.environ["SERVICE_AUTHORIZATION"].split(" ", 1)
client = AuthenticatedClient(base_url=os.environ["SERVICE_URL"], token=token, prefix=prefix)
for points in (30, 12):
    body = NewPointAllotment(customer_id="c4", point_value=points)
    assert create_point_allotment.sync_detailed(client=client, body=body).status_code == 200
seen: list[int] = []
page, more = 1, True
while more:
    listed = list_customer_point_allotments.sync("c4", client=client, page=page, per_page=1)
    assert isinstance(listed, CustomerPointAllotmentList), listed
    seen += [one.point_value for one in listed.data]
    page, more = page + 1, listed.meta.has_more
assert seen == [30, 12], seen
balance = get_point_balance.sync("c4", client=client)
assert isinstance(balance, PointBalanceAnswer) and balance.data.point_balance == 42, balance
refused = get_point_balance.sync("nobody", client=client)
assert isinstance(refused, ErrorResponse) and refused.errors[0].code == "customer_not_found", refused
`;
