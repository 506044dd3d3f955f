import { request as askHttp, createServer, type Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { signIn } from "../support/staff.ts";
import { buildDashboard } from "./support/build-dashboard.ts";
import { launchChromium } from "./support/launch-chromium.ts";
import { watchPage } from "./support/watch-page.ts";

const PATH = "/shop/points";

let browser: Browser;
const started: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  await buildDashboard();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  for (const one of started) await one.stop();
});

/** A reverse proxy with one location, `/shop/points/`, as nginx has it; all else is 404. */
async function startProxy(takesOff: boolean): Promise<{ url: string; pointTo(target: string): void; server: Server }> {
  let target = "";
  const server = createServer((request, response) => {
    const asked = request.url ?? "/";
    if (asked !== PATH && !asked.startsWith(`${PATH}/`)) {
      response.writeHead(404).end();
      return;
    }
    const path = takesOff ? asked.slice(PATH.length) || "/" : asked;
    const headers = { ...request.headers, "x-forwarded-for": "203.0.113.7" };
    const onward = askHttp(new URL(path, target), { method: request.method ?? "GET", headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  const pointTo = (to: string) => {
    target = to;
  };
  return { url: `http://127.0.0.1:${address.port}`, pointTo, server };
}

async function startBehind(takesOff: boolean): Promise<{ url: string; service: TestService }> {
  const proxy = await startProxy(takesOff);
  const publicUrl = `${proxy.url}${PATH}`;
  const service = await startTestService({ config: { publicUrl, proxies: 1 }, worker: false });
  proxy.pointTo(service.url);
  const close = () => new Promise<void>((resolve) => proxy.server.close(() => resolve()));
  started.push(service, {
    stop: () => {
      proxy.server.closeAllConnections();
      return close();
    },
  });
  return { url: publicUrl, service };
}

async function createOwner(page: Page, setupCode: string): Promise<void> {
  const fields = { "Setup code": setupCode, "Your name": "Hana Mori", "E-mail": "hana@example.com" };
  for (const [label, value] of Object.entries(fields)) await page.getByRole("textbox", { name: label }).fill(value);
  await page.getByLabel("Password").first().fill("correct horse battery");
  await page.getByRole("button", { name: "Create the owner" }).click();
}

test.each([
  ["takes the path off", true],
  ["passes the path on", false],
])("the dashboard works below a path of a proxy that %s", async (_name, takesOff) => {
  const { url, service } = await startBehind(takesOff);
  const page = await browser.newPage();
  const watch = watchPage(page, new URL(url).origin);
  watch.expected.add(401);
  await page.goto(url);
  expect(page.url()).toBe(`${url}/admin`);
  await createOwner(page, service.setupCode ?? "");
  await page.getByRole("link", { name: "Customers" }).first().click();
  await page.getByRole("heading", { name: "Customers", exact: true }).waitFor();
  expect(page.url()).toBe(`${url}/admin/customers`);
  await page.reload();
  await page.getByRole("heading", { name: "Customers", exact: true }).waitFor();
  const paths = (await page.context().cookies()).map(({ path }) => path);
  expect(new Set(paths)).toEqual(new Set([`${PATH}/admin`]));
  const document = page.waitForResponse(`${url}/openapi.json`);
  await page.goto(`${url}/docs`);
  expect((await document).status()).toBe(200);
  expect(watch.faults).toEqual([]);
  await page.close();
});

test("the interface is below the path too, and its links lead there", async () => {
  const { url, service } = await startBehind(false);
  const headers = { authorization: `Basic ${btoa(`${service.credential.key}:${service.credential.secret}`)}` };
  await service.client.put("/api/storefront/customers/c1", {});
  for (const n of [1, 2, 3]) {
    const body = JSON.stringify({ customer_id: "c1", point_value: n });
    const posted = await fetch(`${url}/api/storefront/point_allotments`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    expect(posted.status).toBe(200);
  }
  const list = await fetch(`${url}/api/storefront/point_allotments/c1?per_page=1`, { headers });
  const next = /<([^>]+)>; rel="?next/.exec(list.headers.get("link") ?? "")?.[1] ?? "";
  expect(next.startsWith(`${url}/api/storefront/`)).toBe(true);
  expect((await fetch(next, { headers })).status).toBe(200);
  const admin = await signIn(service, "viewer");
  expect(admin.cookie).not.toBe("");
});
