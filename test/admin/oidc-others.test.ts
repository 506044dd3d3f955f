import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createClient } from "../support/client.ts";
import { freePort } from "../support/free-port.ts";
import { comeBackTo, goAndComeBack, startProvider, type TestProvider } from "../support/oidc-provider.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { CSRF } from "../support/staff.ts";

let provider: TestProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());
afterEach(() => service.stop());

async function start(issuer: string): Promise<void> {
  const publicUrl = `http://127.0.0.1:${await freePort()}`;
  service = await startTestService({ worker: false, config: { publicUrl, oidc: provider.settings({ issuer }) } });
  provider.allow(`${publicUrl}/admin/api/session/oidc/callback`);
}

const begin = () => createClient(`${service.url}/admin/api`, null).post("/session/oidc", undefined, CSRF);

test("strangers have a provider that is away asked once in a while, however many they are", async () => {
  let asked = 0;
  const away = createServer((_request, response) => {
    asked++;
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => away.listen(0, "127.0.0.1", resolve));
  const { port } = away.address() as AddressInfo; // cast: it listens on a port
  await start(`http://127.0.0.1:${port}`);
  const many = await Promise.all(Array.from({ length: 10 }, begin));
  expect(many.map(({ status }) => status)).toEqual(many.map(() => 503));
  expect((await begin()).status).toBe(503);
  expect(asked).toBe(1);
  await new Promise((resolve) => away.close(resolve));
});

test("an address that brings made-up codes is locked for a while, as one that guesses passwords is", async () => {
  await start(provider.issuer);
  const bringMadeUp = async () => {
    const begun = await begin();
    const state = new URL(begun.body.data.url).searchParams.get("state") ?? "";
    const query = new URLSearchParams({ code: "made up", state, iss: provider.issuer });
    const attempt = begun.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    return (await comeBackTo(service.url, `${service.url}/?${query}`, attempt)).to;
  };
  for (let n = 0; n < 20; n++) expect(await bringMadeUp()).toContain("oidc=invalid");
  expect(await bringMadeUp()).toContain("oidc=too_many");
  provider.accounts.set("hana", { sub: "hana", email: "hana@s.example", email_verified: true, groups: ["pk-owners"] });
  provider.who = "hana";
  expect((await goAndComeBack(service.url)).to).toContain("oidc=too_many");
  service.clock.advance({ minutes: 1 });
  expect((await goAndComeBack(service.url)).to).toBe("/admin/");
});
