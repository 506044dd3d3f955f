import { afterAll, beforeAll, expect, test } from "vitest";
import { LOGO_MAX_BYTES } from "../../src/wire/theme.ts";
import { createClient } from "../support/client.ts";
import { squarePng } from "../support/png.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

// The store's colour can be read on, its logo is a picture and nothing else, and who may not change them does not.
let service: TestService;
let manager: AdminClient;
let viewer: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  manager = await signIn(service, "manager");
  viewer = await signIn(service, "viewer");
});
afterAll(() => service.stop());

const logoOf = (headers: Record<string, string> = {}) => fetch(`${service.url}/admin/api/theme/logo.png`, { headers });
const strangers = () => createClient(`${service.url}/admin/api`, null).get("/session");

test("a colour is shown to all who sign in; one that white text cannot be read on is refused", async () => {
  expect((await manager.put("/theme", { color: "#0B6E4F" })).body.data).toEqual({ color: "#0b6e4f", logo: null });
  expect((await viewer.get("/session")).body.data.store.theme.color).toBe("#0b6e4f");
  for (const color of ["#ffd000", "#777777", "red", "#12345"]) {
    const refused = await manager.put("/theme", { color });
    expect([color, refused.status, refused.body.errors[0].source.pointer]).toEqual([color, 422, "/color"]);
  }
  expect((await viewer.put("/theme", { color: null })).status).toBe(403);
  expect((await manager.put("/theme", { color: null })).body.data.color).toBeNull();
  const entries = (await manager.get("/audit?action=store_theme.changed")).body.data;
  expect(entries.map(({ after }: { after: object }) => after)).toEqual([{ color: null }, { color: "#0b6e4f" }]);
});

test("a logo is served as the picture alone, with a policy that lets nothing run, also before signing in", async () => {
  const plain = squarePng(64, [11, 110, 79]);
  const tagged = squarePng(64, [11, 110, 79], [["tEXt", "Comment\0<script>alert(1)</script>"]]);
  const put = await manager.put("/theme", { color: null, logo: tagged.toString("base64") });
  expect(put.body.data.logo).toMatch(/^[0-9a-f]{16}$/);
  const answer = await logoOf();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("image/png");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  expect(Buffer.from(await answer.arrayBuffer()).equals(plain)).toBe(true);

  expect((await manager.put("/theme", { color: "#0b6e4f" })).body.data.logo).toBe(put.body.data.logo);
  expect((await manager.put("/theme", { color: null, logo: null })).body.data.logo).toBeNull();
  expect((await logoOf()).status).toBe(404);
  expect((await logoOf({ "if-none-match": `"${put.body.data.logo}"` })).status).toBe(404);
  const entries = (await manager.get("/audit?action=store_theme.changed")).body.data;
  expect(JSON.stringify(entries)).not.toContain(tagged.toString("base64").slice(0, 40));
});

test("a browser that has the logo is sent nothing, and one that has another is sent the new one", async () => {
  const [first, second] = [squarePng(8, [1, 2, 3]), squarePng(8, [4, 5, 6])];
  await manager.put("/theme", { color: null, logo: first.toString("base64") });
  const etag = (await logoOf()).headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[0-9a-f]{16}"$/);
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    const answer = await logoOf({ "if-none-match": known });
    expect([answer.status, answer.headers.get("etag"), await answer.text()]).toEqual([304, etag, ""]);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=86400");
  }
  await manager.put("/theme", { color: null, logo: second.toString("base64") });
  const answer = await logoOf({ "if-none-match": etag });
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer()).equals(second)).toBe(true);
  await manager.put("/theme", { color: null, logo: null });
});

test("a stranger is told the colour and the name of the logo, and nothing else of the store", async () => {
  const logo = squarePng(8, [7, 8, 9]).toString("base64");
  const { data: theme } = (await manager.put("/theme", { color: "#0b6e4f", logo })).body;
  const { data } = (await strangers()).body;
  expect(data.theme).toEqual(theme);
  expect(data).toMatchObject({ staff: null, store: null, permissions: [], approval_limit: null, daily_limit: null });
  await manager.put("/theme", { color: null, logo: null });
});

test("what is no picture, or too large, is refused by its field", async () => {
  const large = squarePng(200, [0, 0, 0], [["tEXt", "x".repeat(LOGO_MAX_BYTES)]]);
  for (const file of [Buffer.from("<svg onload='alert(1)'/>"), squarePng(1_025, [1, 2, 3]), large]) {
    const refused = await manager.put("/theme", { color: null, logo: file.toString("base64") });
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0].source.pointer).toBe("/logo");
  }
});
