import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { OidcSettings } from "../../src/oidc-settings.ts";
import { createClient } from "../support/client.ts";
import { makeCustomer } from "../support/customers.ts";
import { freePort } from "../support/free-port.ts";
import {
  comeBackTo,
  goAndComeBack,
  startProvider,
  type TestProvider,
  visitProvider,
} from "../support/oidc-provider.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../support/service.ts";
import { adminClient, CSRF, signIn } from "../support/staff.ts";

let provider: TestProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());
afterEach(() => service.stop());

async function start(more: Partial<OidcSettings> = {}, options: TestServiceOptions = {}): Promise<void> {
  const publicUrl = `http://127.0.0.1:${await freePort()}`;
  service = await startTestService({
    worker: false,
    ...options,
    config: { publicUrl, oidc: provider.settings(more) },
  });
  provider.allow(`${publicUrl}/admin/api/session/oidc/callback`);
}

/** Whom the provider signs in next, with which groups. */
function be(sub: string, groups: readonly string[]): void {
  provider.accounts.set(sub, { sub, email: `${sub}@store.example`, email_verified: true, name: sub, groups });
  provider.who = sub;
}

/** Where somebody gets who comes back from the provider with a code that it did not give. */
async function bringCode(code: string, iss = provider.issuer): Promise<string> {
  const begun = await begin();
  const state = new URL(begun.body.data.url).searchParams.get("state") ?? "";
  const query = new URLSearchParams({ code, state, iss });
  const attempt = begun.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  return (await comeBackTo(service.url, `${service.url}/?${query}`, attempt)).to;
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
  await start({ issuer: `http://127.0.0.1:${port}` });
  const many = await Promise.all(Array.from({ length: 10 }, begin));
  expect(many.map(({ status }) => status)).toEqual(many.map(() => 503));
  expect((await begin()).status).toBe(503);
  expect(asked).toBe(1);
  await new Promise((resolve) => away.close(resolve));
});

test("the answer to an attempt of one tab leaves a later one of another tab as it is", async () => {
  await start();
  be("hana", ["pk-owners"]);
  const [earlier, later] = [await begin(), await begin()];
  const own = later.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const [first, second] = [await visitProvider(earlier.body.data.url), await visitProvider(later.body.data.url)];
  const back = `${service.url}/admin/api/session/oidc/callback${new URL(first).search}`;
  const answered = await fetch(back, { headers: { cookie: own }, redirect: "manual" });
  expect(answered.headers.get("location")).toContain("oidc=state");
  expect(answered.headers.get("set-cookie")).toBeNull();
  expect((await comeBackTo(service.url, second, own)).to).toMatch(/\/admin\/$/);
});

test("an address that brings made-up codes is locked for a while, as one that guesses passwords is", async () => {
  await start();
  const bringMadeUp = () => bringCode("made up");
  for (let n = 0; n < 20; n++) expect(await bringMadeUp()).toContain("oidc=invalid");
  expect(await bringMadeUp()).toContain("oidc=too_many");
  be("hana", ["pk-owners"]);
  expect((await goAndComeBack(service.url)).to).toContain("oidc=too_many");
  service.clock.advance({ minutes: 1 });
  expect((await goAndComeBack(service.url)).to).toBe("/admin/");
});

test("what somebody asked for is not approved once the provider gives them no role", async () => {
  await start({}, { program: { staff: { approval_limit: 1_000 } } });
  be("hana", ["pk-owners"]);
  const owner = adminClient(service.url, (await goAndComeBack(service.url)).cookie);
  be("ken", ["pk-support"]);
  const ken = adminClient(service.url, (await goAndComeBack(service.url)).cookie);
  const { storefrontId } = await makeCustomer(service.deps);
  const wanted = { request_uid: randomUUID(), point_value: 5_000 };
  const asked = await ken.post(`/customers/${storefrontId}/adjustments`, wanted);
  expect(asked.body.data.state).toBe("waiting");
  be("ken", []);
  expect((await goAndComeBack(service.url)).to).toContain("oidc=no_role");
  const approve = () => owner.post(`/approvals/${wanted.request_uid}/approve`, {});
  expect((await approve()).body.errors?.[0].code).toBe("requester_gone");
  be("ken", ["pk-support"]);
  await goAndComeBack(service.url);
  expect((await approve()).status).toBe(200);
});

test("an owner ends the link of an account that somebody got into, and its sessions", async () => {
  await start({ roles: null });
  const owner = await signIn(service, "owner");
  const person = await signIn(service, "manager");
  provider.accounts.set("thief", { sub: "thief", email: person.email, email_verified: true });
  provider.who = "thief";
  expect((await goAndComeBack(service.url, "/account/oidc", person.cookie)).to).toContain("oidc=linked");
  const thief = adminClient(service.url, (await goAndComeBack(service.url)).cookie);
  expect((await thief.get("/session")).body.data.staff.uid).toBe(person.uid);
  const path = `/people/${person.uid}/identity`;
  expect((await (await signIn(service, "manager")).delete(path)).status).toBe(403);
  for (const own of [owner.uid, owner.uid.toUpperCase()])
    expect((await owner.delete(`/people/${own}/identity`)).body.errors[0].code).toBe("own_account");
  expect((await owner.delete(path)).status).toBe(200);
  expect((await owner.delete(path)).status).toBe(404);
  expect((await thief.get("/session")).body.data.staff).toBeNull();
  expect((await goAndComeBack(service.url)).to).toContain("oidc=email_taken");
});

test("a session that was begun by a clock which was ahead links no account once that clock is right", async () => {
  await start({ roles: null });
  const present = service.clock.now();
  service.clock.set("2029-03-01T00:00:00Z");
  const owner = await signIn(service, "owner");
  be("hana", []);
  const headers = { ...CSRF, cookie: owner.cookie ?? "" };
  const begun = await createClient(`${service.url}/admin/api`, null).post("/account/oidc", undefined, headers);
  const callback = await visitProvider(begun.body.data.url);
  service.clock.set(present);
  const attempt = begun.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  expect((await comeBackTo(service.url, callback, attempt)).to).toContain("oidc=session");
});

test("the log says why a request to the provider failed, or what its answer lacks, and repeats no code and no secret", async () => {
  const logged: string[] = [];
  const secret = provider.settings().clientSecret ?? "";
  let tokenUrl = `http://127.0.0.1:${await freePort()}/token`; // nobody listens there
  const other = createServer((request, response) => {
    const { origin } = new URL(`http://${request.headers.host}`);
    response.setHeader("content-type", "application/json");
    if (request.url === "/token") return void response.end(`{"access_token": "${secret}" cut`);
    if (request.url === "/busy") return void response.writeHead(503).end();
    const endpoints = { authorization_endpoint: `${origin}/in`, token_endpoint: tokenUrl, jwks_uri: `${origin}/keys` };
    response.end(JSON.stringify({ issuer: origin, response_types_supported: ["code"], ...endpoints }));
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo; // cast: it listens on a port
  const issuer = `http://127.0.0.1:${port}`;
  const bring = async () => {
    await start({ issuer }, { logLevel: "warn", log: (line) => void logged.push(line) });
    return bringCode("made-up-code", issuer);
  };
  expect(await bring()).toContain("oidc=unreachable");
  expect(logged.join()).toContain("ECONNREFUSED");
  await service.stop();
  tokenUrl = `${issuer}/token`;
  expect(await bring()).toContain("oidc=invalid");
  expect(logged.join()).toContain("body as JSON");
  await service.stop();
  tokenUrl = `${issuer}/busy`;
  expect(await bring()).toContain("oidc=unreachable");
  expect(logged.join()).toContain('"status":503');
  for (const hidden of [secret, secret.slice(0, 9), "made-up-code"]) expect(logged.join()).not.toContain(hidden);
  await new Promise((resolve) => other.close(resolve));
});

test("what the provider or the settings cause is no failure of the address, however often it happens", async () => {
  let answer: readonly [status: number, body: string] = [503, ""];
  const other = createServer((request, response) => {
    const { origin } = new URL(`http://${request.headers.host}`);
    response.setHeader("content-type", "application/json");
    if (request.url === "/token") return void response.writeHead(answer[0]).end(answer[1]);
    const endpoints = { authorization_endpoint: `${origin}/in`, token_endpoint: `${origin}/token` };
    response.end(JSON.stringify({ issuer: origin, jwks_uri: `${origin}/keys`, ...endpoints }));
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo; // cast: it listens on a port
  const issuer = `http://127.0.0.1:${port}`;
  await start({ issuer });
  const ofNobody: readonly (typeof answer)[] = [
    [503, ""],
    [429, ""],
    [400, '{"error": "invalid_client"}'],
    [401, '{"error": "invalid_client"}'],
    [200, `{"access_token": "x", "padding": "${"x".repeat(1_048_576)}"}`],
  ];
  for (answer of ofNobody)
    for (let n = 0; n < 7; n++) expect(await bringCode("code", issuer), answer[1]).toContain("oidc=unreachable");
  answer = [400, '{"error": "invalid_grant"}'];
  for (let n = 0; n < 20; n++) expect(await bringCode("made up", issuer)).toContain("oidc=invalid");
  expect(await bringCode("made up", issuer)).toContain("oidc=too_many");
  await new Promise((resolve) => other.close(resolve));
});
