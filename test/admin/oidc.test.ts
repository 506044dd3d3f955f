import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { OidcSettings } from "../../src/oidc-settings.ts";
import { makeChallenge } from "../../src/staff/passkeys/make-challenge.ts";
import { switchOidc } from "../../src/staff/provider/switch-oidc.ts";
import { createClient } from "../support/client.ts";
import { freePort } from "../support/free-port.ts";
import {
  comeBackTo,
  goAndComeBack,
  startProvider,
  type TestProvider,
  visitProvider,
} from "../support/oidc-provider.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../support/service.ts";
import { smtpSettings } from "../support/smtp.ts";
import { adminClient, CSRF, cookieOf, endConfirmations, signIn } from "../support/staff.ts";

let provider: TestProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());
afterEach(() => service?.stop());

/** PUBLIC_URL stands under a path, as behind a proxy that takes it off: the callback is asked where the service listens. */
const PATH = "/shop/points";

async function start(more: Partial<OidcSettings> = {}, options: TestServiceOptions = {}): Promise<void> {
  const publicUrl = `http://127.0.0.1:${await freePort()}${PATH}`;
  service = await startTestService({
    worker: false,
    ...options,
    config: { publicUrl, oidc: provider.settings(more), ...options.config },
  });
  provider.allow(`${publicUrl}/admin/api/session/oidc/callback`);
}

const go = (path?: string, cookie?: string | null) => goAndComeBack(service.url, path, cookie);
const comeBack = (callback: string, attempt: string) => comeBackTo(service.url, callback, attempt);
const me = async (cookie: string | null) => (await adminClient(service.url, cookie).get("/session")).body.data;
const know = (sub: string, more: object = {}) =>
  void provider.accounts.set(sub, {
    sub,
    email: `${sub}@store.example`,
    email_verified: true,
    name: `Name of ${sub}`,
    ...more,
  });

/** Whom the provider signs in next, with which groups. */
function be(sub: string, groups?: readonly string[], more: object = {}): void {
  know(sub, { ...(groups === undefined ? {} : { groups }), ...more });
  provider.who = sub;
}

describe("somebody whom the provider knows", () => {
  test("is made with the role of its claim, comes back as the same person, and follows the role", async () => {
    await start();
    be("hana", ["pk-owners", "others"]);
    const first = await go();
    expect(first.to).toBe(`${PATH}/admin/`);
    expect((await me(first.cookie)).staff).toMatchObject({
      email: "hana@store.example",
      role: "owner",
      has_password: false,
    });
    service.clock.advance({ seconds: 1 });
    be("ken", ["pk-managers"]);
    const ken = await go();
    service.clock.advance({ seconds: 1 });
    const { uid } = (await me(ken.cookie)).staff;
    be("ken", ["pk-support"], { email: "renamed@store.example" });
    const again = await go();
    expect((await me(again.cookie)).staff).toMatchObject({ uid, role: "support", email: "ken@store.example" });
    expect((await me(ken.cookie)).staff).toBeNull(); // the session with the role of before
    const owner = adminClient(service.url, first.cookie);
    const notices = (await owner.get("/access-notices")).body.data;
    expect(notices.map(({ kind, by_provider }: Record<string, unknown>) => [kind, by_provider])).toEqual([
      ["lowered", true],
      ["invited", true],
    ]);
  });

  test("loses every session and way in with the role, and gets them back with it", async () => {
    await start();
    be("hana", ["pk-owners"]);
    const owner = await go();
    be("ken", ["pk-managers"]);
    const ken = await go();
    be("ken", []);
    const lost = await go();
    expect([lost.to, lost.cookie]).toEqual([`${PATH}/admin/?oidc=no_role`, null]);
    expect((await me(ken.cookie)).staff).toBeNull();
    expect((await me(owner.cookie)).staff).not.toBeNull();
    be("ken", ["pk-managers"]);
    expect((await me((await go()).cookie)).staff.role).toBe("manager");
  });

  test("is asked again after the hours of the settings", async () => {
    await start({ sessionHours: 2 });
    be("hana", ["pk-owners"]);
    const { cookie } = await go();
    service.clock.advance({ minutes: 119 });
    expect((await me(cookie)).staff).not.toBeNull();
    service.clock.advance({ minutes: 1 });
    expect((await me(cookie)).staff).toBeNull();
  });
});

describe("nobody becomes somebody else", () => {
  test("by an e-mail alone: it links where the settings say so and the provider has verified it", async () => {
    await start();
    const owner = await signIn(service, "owner");
    const { email } = owner;
    be("s1", ["pk-owners"], { email });
    expect((await go()).to).toContain("oidc=email_taken");
    await service.stop();
    await start({ linksByEmail: true });
    const other = await signIn(service, "owner");
    be("s2", ["pk-owners"], { email: other.email, email_verified: false });
    expect((await go()).to).toContain("oidc=no_email");
    be("s2", ["pk-owners"], { email: other.email });
    expect((await me((await go()).cookie)).staff.uid).toBe(other.uid);
    be("s3", ["pk-owners"], { email: other.email });
    expect((await go()).to).toContain("oidc=taken");
  });

  test("nor by a role that the settings do not name, nor before there is an owner", async () => {
    await start();
    be("ken", ["pk-managers"]);
    expect((await go()).to).toContain("oidc=no_account");
    be("ken", ["others"]);
    expect((await go()).to).toContain("oidc=no_role");
    await service.stop();
    await start({ roles: null });
    be("ken", ["pk-owners"]);
    expect((await go()).to).toContain("oidc=no_account");
  });

  test("nor by linking a subject twice; a link asks for a confirmation", async () => {
    await start({ roles: null });
    const owner = await signIn(service, "owner");
    const second = await signIn(service, "manager");
    be("hana");
    expect((await go("/account/oidc", owner.cookie)).to).toBe(`${PATH}/admin/account?oidc=linked`);
    expect((await go("/account/oidc", second.cookie)).to).toContain("oidc=taken");
    const [row] = await service.deps.db.query("select count(*)::integer as n from staff_identity");
    expect(row).toEqual({ n: 1 });
    expect((await me((await go()).cookie)).staff.uid).toBe(owner.uid);
    await endConfirmations(service);
    const asked = await adminClient(service.url, owner.cookie).post("/account/oidc");
    expect([asked.status, asked.body.errors[0].code]).toEqual([403, "confirmation_needed"]);
  });

  test("nor with another browser's attempt, one that was finished, or an answer that was changed", async () => {
    await start();
    be("hana", ["pk-owners"]);
    const came = await go();
    expect((await comeBack(came.callback, came.attempt)).to).toContain("oidc=state");
    const begun = await createClient(`${service.url}/admin/api`, null).post("/session/oidc", undefined, CSRF);
    const callback = await visitProvider(begun.body.data.url);
    expect((await comeBack(callback, "")).to).toContain("oidc=state");
    expect((await comeBack(callback, came.attempt)).to).toContain("oidc=state");
    const own = begun.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    const changed = new URL(callback);
    changed.searchParams.set("state", "another");
    expect((await comeBack(changed.href, own)).to).toContain("oidc=state");
    expect(begun.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
    const sealedForOthers = makeChallenge(service.deps, { use: "sign_in", staffUid: null }); // shown to anybody
    expect((await comeBack(callback, `pointkeeper_oidc=${sealedForOthers}`)).to).toContain("oidc=state");
  });
});

describe("the settings", () => {
  test("of the only way close the others, and a command opens them again", async () => {
    await start();
    const owner = await signIn(service, "owner");
    await service.stop();
    await start({ isOnly: true }, { config: { mail: smtpSettings({ port: 1 }) } });
    const local = await signIn(service, "owner").catch((error: Error) => error.message);
    expect(local).toContain("oidc_only");
    const anybody = createClient(`${service.url}/admin/api`, null);
    const chosen = await anybody.post("/invitation", { token: "x", password: "x".repeat(20) }, CSRF);
    expect(chosen.body.errors[0].code).toBe("oidc_only");
    expect((await me(null)).ways_in).toEqual({ password: false, passkeys: false, oidc: "Example", can_unlink: false });
    be("hana", ["pk-owners"]);
    const { cookie } = await go();
    expect((await adminClient(service.url, cookie).delete("/account/oidc")).body.errors[0].code).toBe("oidc_only");
    const ken = { email: "ken@store.example", name: "Ken", role: "viewer" };
    expect((await adminClient(service.url, cookie).post("/people", ken)).body.data.mailed_to).toBeNull();
    await switchOidc(service.deps, { isOn: false });
    expect((await me(cookie)).staff).toBeNull();
    expect((await me(null)).ways_in).toMatchObject({ password: true, oidc: null });
    expect((await anybody.post("/session/oidc", undefined, CSRF)).status).toBe(409);
    expect(owner.uid).toBeDefined();
    const back = await signIn(service, "owner");
    await switchOidc(service.deps, { isOn: true });
    expect((await me(back.cookie)).staff).toBeNull(); // a session of the password, where there is only the provider
  });

  test("that take the role of the last owner close nothing, and of another one all", async () => {
    await start();
    be("hana", ["pk-owners"]);
    const hana = await go();
    be("hana", ["pk-support"]);
    expect((await go()).to).toContain("oidc=last_owner");
    be("hana", []);
    expect((await go()).to).toContain("oidc=no_role");
    expect((await me(hana.cookie)).staff.role).toBe("owner");
  });

  test("of a password count for nothing once the provider has taken the role, and do when it is switched off", async () => {
    await start({ linksByEmail: true });
    await signIn(service, "owner");
    const manager = await signIn(service, "manager");
    be("m", [], { email: manager.email });
    expect((await go()).to).toContain("oidc=no_role"); // never linked: the password still counts
    await cookieOf(service.url, manager);
    be("m", ["pk-managers"], { email: manager.email });
    await go();
    await expect(cookieOf(service.url, manager)).rejects.toThrow("refused"); // it would outlive the company account
    be("m", [], { email: manager.email });
    await go();
    await expect(cookieOf(service.url, manager)).rejects.toThrow("refused");
    await switchOidc(service.deps, { isOn: false });
    await cookieOf(service.url, manager);
  });

  test("that give the roles end what passwords of linked people opened before, but the last owner's", async () => {
    await start();
    const owner = await signIn(service, "owner");
    const manager = await signIn(service, "manager");
    be("m", ["pk-managers"]);
    expect((await go("/account/oidc", manager.cookie)).to).toContain("oidc=linked");
    expect((await manager.get("/home")).status).toBe(401); // it would outlive the company account
    be("o", ["pk-owners"]);
    expect((await go("/account/oidc", owner.cookie)).to).toContain("oidc=linked");
    expect((await owner.get("/home")).status).toBe(200);
  });

  test("of a provider that is away, or is another one, are said so and keep nobody waiting", async () => {
    const gone = await startProvider();
    await gone.stop();
    await start({ issuer: gone.issuer });
    const begun = await createClient(`${service.url}/admin/api`, null).post("/session/oidc", undefined, CSRF);
    expect([begun.status, begun.body.errors[0].code]).toEqual([503, "provider_unavailable"]);
    expect(begun.headers.get("retry-after")).not.toBeNull();
    await service.stop();
    await start({ acrs: ["urn:mfa"] });
    be("hana", ["pk-owners"]);
    expect((await go()).to).toContain("oidc=acr");
    provider.who = null;
    expect((await go()).to).toContain("oidc=cancelled");
  });
});

const WRITTEN_DOWN = ["staff.created", "staff_identity.created", "staff.signed_in", "staff.sign_in_failed"];
describe("a session", () => {
  test("of somebody without a password is confirmed by a sign-in of now, of the same person alone", async () => {
    await start();
    be("hana", ["pk-owners"]);
    const { cookie } = await go();
    const hana = adminClient(service.url, cookie);
    await endConfirmations(service);
    expect((await hana.post("/credentials", { name: "till", scopes: ["read"] })).status).toBe(403);
    be("ken", ["pk-managers"]);
    expect((await go("/session/confirm/oidc", cookie)).to).toContain("oidc=other_person");
    expect((await hana.post("/credentials", { name: "till", scopes: ["read"] })).status).toBe(403);
    provider.who = "hana";
    expect((await go("/session/confirm/oidc", cookie)).to).toBe(`${PATH}/admin/account?oidc=confirmed`);
    expect((await hana.post("/credentials", { name: "till", scopes: ["read"] })).status).toBe(200);
  });

  test("of somebody without a password is a second person's: an owner beside them does not decide alone", async () => {
    await start({}, { program: { staff: { approval_limit: 1_000 } } });
    be("hana", ["pk-owners"]);
    const owner = adminClient(service.url, (await go()).cookie);
    be("ken", ["pk-managers"]);
    await go();
    const { version } = (await owner.get("/program")).body.data;
    const change = { document: { staff: { approval_limit: null } }, base_version: version };
    const asked = await owner.post("/program", change);
    expect([asked.status, typeof asked.body.data.request_uid]).toEqual([200, "string"]);
    expect((await owner.get("/program")).body.data.version).toBe(version);
  });

  test("is written down: who came by which provider, and who was refused", async () => {
    await start();
    be("hana", ["pk-owners"]);
    const { cookie } = await go();
    be("ken", ["others"]);
    await go();
    const actions = (await adminClient(service.url, cookie).get("/audit?limit=50")).body.data.map(
      ({ action }: { action: string }) => action,
    );
    expect(new Set(actions).isSupersetOf(new Set(WRITTEN_DOWN))).toBe(true);
  });
});
