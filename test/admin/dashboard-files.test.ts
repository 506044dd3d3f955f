import { afterAll, beforeAll, expect, test } from "vitest";
import { buildDashboard } from "../browser/support/build-dashboard.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  await buildDashboard();
  service = await startTestService();
});

afterAll(() => service?.stop());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(service.url + path, { headers, redirect: "manual" });
}

async function assetOf(kind: "js" | "css"): Promise<string> {
  const html = await (await get("/admin")).text();
  const found = new RegExp(`/admin/assets/[\\w.-]+\\.${kind}`).exec(html)?.[0];
  if (found === undefined) throw new Error(`index.html names no ${kind} file`);
  return found;
}

test("every address of the dashboard is the page, with a nonce of its own load and no inline script", async () => {
  const nonces = new Set<string>();
  for (const path of ["/admin", "/admin/", "/admin/customers/1?q=a", "/admin/nobody/knows/this", "/admin/apiary"]) {
    const answer = await get(path);
    const html = await answer.text();
    const policy = answer.headers.get("content-security-policy") ?? "";
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(html).toContain(`data-nonce="${nonce}"`);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(5);
});

test("the start of the host leads to the dashboard", async () => {
  const answer = await get("/");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/admin"]);
});

test.each(["br", "gzip"] as const)("files are kept for ever and come packed (%s)", async (encoding) => {
  const path = await assetOf("js");
  const plain = await (await get(path, { "accept-encoding": "identity" })).text();
  const answer = await get(path, { "accept-encoding": encoding });
  expect(answer.headers.get("content-encoding")).toBe(encoding);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(answer.headers.get("vary")).toContain("accept-encoding");
  expect(await answer.text()).toBe(plain);
});

test("the texts of the licences of all packages in the files come with them", async () => {
  const answer = await get("/admin/licenses.md");
  const text = await answer.text();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
  const sections = text.split(/^## /m).slice(1);
  const names = sections.map((section) => /^(\S+) - /.exec(section)?.[1] ?? section);
  expect(names).toEqual(expect.arrayContaining(["react", "react-dom", "@mantine/core", "@tanstack/react-query"]));
  const withoutText = sections.filter((section) => !/permission|redistribut|licen[cs]ed under/i.test(section));
  expect(withoutText.map((section) => section.split("\n", 1)[0])).toEqual([]);
});

test("what is no file is not found, and nothing beside the files is given away", async () => {
  for (const name of ["none.js", "..%2findex.html", "..%2f..%2f..%2fpackage.json", "%2e%2e%2findex.html"]) {
    const answer = await get(`/admin/assets/${name}`);
    expect(answer.status).toBeGreaterThanOrEqual(403);
    expect(answer.headers.get("content-type")).toContain("application/json");
  }
});

test("an unknown path of the dashboard's API is no page", async () => {
  const answer = await get("/admin/api/no-such-thing");
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({ errors: [{ status: "404", title: "Not found", code: "not_found" }] });
});

test("a page takes nothing", async () => {
  const answer = await fetch(`${service.url}/admin/customers`, { method: "POST" });
  expect(answer.status).toBe(404);
});
