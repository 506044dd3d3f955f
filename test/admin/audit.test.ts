import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentActor, runAs } from "../../src/actor.ts";
import type { AuditEntry } from "../../src/admin/audit/schema.ts";
import { recordAction } from "../../src/audit/record-action.ts";
import type { Tx } from "../../src/db/pool.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { createRequestQueue } from "../../src/points/create-request-queue.ts";
import { applyProgram } from "../../src/program/apply-program.ts";
import { createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, acceptLink, CSRF, STAFF_PASSWORD, signIn, signInAs, tokenOfLink } from "../support/staff.ts";

let service: TestService;
let owner: AdminClient;
const NOW = "2026-03-01T00:00:00.000000Z";

beforeAll(async () => {
  service = await startTestService({ worker: false, program: { store: { name: "花屋", time_zone: "Asia/Tokyo" } } });
  owner = await signIn(service, "owner");
});
afterAll(() => service.stop());

async function entries(query = ""): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let after = ""; ; ) {
    const answer = await owner.get(`/audit?${query}${after === "" ? "" : `&after=${encodeURIComponent(after)}`}`);
    expect(answer.status).toBe(200);
    found.push(...answer.body.data);
    if (answer.body.next === null) return found;
    after = answer.body.next;
  }
}

describe("the audit log", () => {
  test("says who, when, from where, what was and what is", async () => {
    const made = (await owner.post("/people", { email: "a@store.example", name: "A", role: "viewer" })).body.data;
    await owner.put(`/people/${made.uid}`, { role: "support" });
    const [changed, created] = await entries(`subject_kind=staff&subject_id=${made.uid}`);
    expect(created).toMatchObject({
      at: NOW,
      actor: { kind: "staff", id: owner.uid },
      address: "127.0.0.1",
      action: "staff.created",
      subject: { kind: "staff", id: made.uid, name: "A" },
      before: null,
      after: { email: "a@store.example", role: "viewer" },
    });
    expect(changed).toMatchObject({
      action: "staff.changed",
      before: { role: "viewer" },
      after: { role: "support" },
    });
    const panel = await owner.get(`/audit/${changed?.id}`);
    expect(panel.body.data).toEqual(changed);
    expect((await owner.get("/audit/999999999")).status).toBe(404);
  });

  test("of a secret it says only that it was replaced", async () => {
    const person = await signIn(service, "viewer");
    const { link } = (await owner.post(`/people/${person.uid}/password`)).body.data;
    const [reset] = await entries(`action=staff.changed&subject_id=${person.uid}`);
    expect(reset?.after).toEqual({ removed: ["password_hash"] });
    await acceptLink(service.url, { uid: person.uid, link }, person.email);
    const [chosen] = await entries(`action=staff.changed&subject_id=${person.uid}`);
    expect(chosen?.after).toEqual({ replaced: ["password_hash"] });
    const made = (await owner.post("/credentials", { name: "printer", scopes: ["write"] })).body.data;
    const rows = await service.deps.db.query<{ line: string }>(
      "select row_to_json(e)::text as line from audit_entry e",
    );
    const log = rows.map((row) => row.line).join("\n");
    expect(log).toContain(made.key);
    const stored = await service.deps.db.query<{ secret: string }>(
      `select password_hash as secret from staff where password_hash is not null
       union all select encode(secret_sha256, 'hex') from credential
       union all select encode(sealed, 'hex') from api_secret_key`,
    );
    for (const secret of [tokenOfLink(link), made.secret, ...stored.map((row) => row.secret)]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(log).not.toContain(secret);
    }
  });

  test("tells sign-ins, failed ones and lockouts, and nothing of what was typed", async () => {
    const person = await signIn(service, "viewer");
    const stranger = createClient(`${service.url}/admin/api`, null);
    for (let i = 0; i < 5; i++)
      await stranger.post("/session", { email: person.email, password: "hunter-two-and-a-half" }, CSRF);
    await stranger.post("/session", { email: "hunter-two-and-a-half", password: "x" }, CSRF);
    const told = (await entries(`subject_kind=staff&subject_id=${person.uid}`)).map((entry) => entry.action);
    expect(told.filter((action) => action === "staff.sign_in_failed")).toHaveLength(5);
    expect(told.filter((action) => action === "staff.locked_out")).toHaveLength(1);
    expect(told).toContain("staff.signed_in");
    const rows = await service.deps.db.query("select from audit_entry where audit_entry::text like '%hunter-two%'");
    expect(rows).toHaveLength(0);
  });

  test("tells a lockout by wrong passwords that come at once, and each later one of the hour", async () => {
    const person = await signIn(service, "viewer");
    const stranger = createClient(`${service.url}/admin/api`, null);
    const guess = async () =>
      (await stranger.post("/session", { email: person.email, password: "hunter-four" }, CSRF)).status;
    const lockouts = async () => await entries(`action=staff.locked_out&subject_id=${person.uid}`);
    const statuses = await Promise.all(Array.from({ length: 5 }, guess));
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    expect(await lockouts()).toHaveLength(1);
    for (const minutes of [1, 2, 4]) {
      service.clock.advance({ minutes });
      expect([await guess(), await guess()]).toEqual([401, 429]);
    }
    const told = await lockouts();
    expect(told.map(({ actor, address }) => [actor.id, address])).toEqual(told.map(() => [person.uid, "127.0.0.1"]));
    expect(told).toHaveLength(4);
  });

  test("tells a second factor turned on from one turned off, wrong proofs, and who signed out", async () => {
    const person = await signIn(service, "viewer");
    const { secret } = (await person.post("/account/totp")).body.data;
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    const own = { current_password: STAFF_PASSWORD };
    await person.put("/account/totp", { code: codeAt(0), current_password: "hunter-three" });
    await person.put("/account/totp", { ...own, code: "000 hunter" });
    expect((await person.put("/account/totp", { ...own, code: codeAt(0) })).status).toBe(200);
    await person.delete("/account/totp", { code: "000 hunter" });
    expect((await person.delete("/account/totp", { code: codeAt(1) })).status).toBe(200);
    for (let i = 0; i < 5; i++)
      await person.put("/account", { password: "another good password", current_password: "hunter-three" });
    expect((await person.put("/account", { ...own, password: "another good password" })).status).toBe(429);
    expect((await person.delete("/session")).status).toBe(200);
    await person.delete("/session");
    const told = (await entries(`subject_kind=staff&subject_id=${person.uid}`)).reverse().slice(2);
    const failed = (member: string) => ["staff.check_failed", { member }];
    expect(told.map(({ action, after }) => [action, after])).toEqual([
      failed("current_password"),
      failed("code"),
      ["staff.changed", { replaced: ["totp_sealed"] }],
      failed("code"),
      ["staff.changed", { removed: ["totp_sealed"] }],
      ...Array.from({ length: 5 }, () => failed("current_password")),
      ["staff.locked_out", null],
      ["staff.signed_out", null],
    ]);
    for (const { actor, address } of told) expect([actor.id, address]).toEqual([person.uid, "127.0.0.1"]);
    const rows = await service.deps.db.query("select from audit_entry where audit_entry::text like '%hunter%'");
    expect(rows).toHaveLength(0);
  });

  test("keeps the fields of the program that a version changed", async () => {
    const document = { rewards: { signup: 50 } };
    await applyProgram(service.deps, { document, author: "Aiko", isDryRun: false });
    const [entry] = await entries("action=program.changed");
    expect(entry?.before).toMatchObject({ rewards: { signup: 0 } });
    expect(entry?.after).toMatchObject({ rewards: { signup: 50 } });
    expect(Object.keys(entry?.after ?? {})).toEqual(["rewards"]);
    expect(entry?.actor).toEqual({ kind: "system", id: null, name: "pointkeeper" });
  });

  test("a credential's change of a setting stands in its name", async () => {
    const answer = await service.client.post("/api/storefront/webhooks", {
      topic: "point_allotment/cascade",
      callback_url: "https://receiver.example/hook",
    });
    expect(answer.status).toBe(200);
    const [entry] = await entries("subject_kind=subscription");
    expect(entry).toMatchObject({ action: "subscription.created", actor: { kind: "credential", name: "store" } });
    expect(JSON.stringify(entry?.after)).not.toContain("secret_sealed");
  });

  test("is found by actor, action, subject and days of the store, a page after the other", async () => {
    const { deps } = service;
    const actor = { kind: "command", id: null, name: "root", address: null } as const;
    service.clock.set("2026-04-01T14:59:59.999999Z");
    await runAs(actor, async () => {
      for (let i = 0; i < 60; i++)
        await recordAction(deps.db, deps, {
          action: "points.adjusted",
          subject: { kind: "customer", id: "c1" },
          after: { n: 9n },
        });
      service.clock.set("2026-04-01T15:00:00Z");
      await recordAction(deps.db, deps, { action: "points.undone", subject: { kind: "customer", id: "c2" } });
    });
    owner = await signInAs(service.url, owner);
    const inDay = await entries("actor=command&from=2026-04-01&to=2026-04-01");
    expect(inDay).toHaveLength(60);
    expect(new Set(inDay.map((entry) => entry.id)).size).toBe(60);
    expect(inDay[0]?.after).toEqual({ n: 9 });
    expect(await entries("actor=command&from=2026-04-02")).toHaveLength(1);
    expect(await entries("subject_kind=customer&subject_id=c2")).toHaveLength(1);
    expect(await entries("action=points.adjusted")).toHaveLength(60);
    const count = async (query: string) => (await owner.get(`/audit/count?${query}`)).body.data;
    expect(await count("actor=command&from=2026-04-01&to=2026-04-01")).toEqual({ count: 60, counted_to: 10_000 });
    expect((await count("")).count).toBe((await entries()).length);
    expect((await owner.get("/audit/count?from=yesterday")).status).toBe(422);
    const mine = await entries(`actor=${owner.uid}`);
    expect(new Set(mine.map((entry) => entry.actor.id))).toEqual(new Set([owner.uid]));
    const choices = (await owner.get("/audit/choices")).body.data;
    expect(choices.actions).toEqual([...new Set((await entries()).map((entry) => entry.action))].sort());
    expect(choices.actors).toContainEqual({ id: owner.uid, name: expect.any(String) });
    const wrong = await owner.get("/audit?from=yesterday&after=x");
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors.map((e: { source: { parameter: string } }) => e.source.parameter)).toEqual([
      "from",
      "after",
    ]);
  });

  test("where a request came from is read behind the proxies that the settings count", async () => {
    const proxied = await startTestService({ worker: false, config: { proxies: 1 } });
    try {
      const its = await signIn(proxied, "owner");
      const headers = { ...CSRF, "x-forwarded-for": "198.51.100.1, 203.0.113.7" };
      const { email, password } = its;
      await createClient(proxied.url, null).post("/admin/api/session", { email, password }, headers);
      const [entry] = (await its.get("/audit?action=staff.signed_in")).body.data;
      expect(entry.address).toBe("203.0.113.7");
      await createClient(service.url, null).post("/admin/api/session", { email, password }, headers);
      const [direct] = await entries("action=staff.sign_in_failed");
      expect(direct?.address).toBe("127.0.0.1");
    } finally {
      await proxied.stop();
    }
  });

  test("a batch of postings is nobody's in particular, whoever's request began it", async () => {
    const { deps } = service;
    const acted = new Set<string>();
    const db = {
      ...deps.db,
      txByKeys<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
        acted.add(currentActor().kind);
        return deps.db.txByKeys(work);
      },
    };
    const queue = createRequestQueue({ ...deps, db });
    const posting = plainPosting(deps.random.uid(), "api", "test", {
      kind: "add",
      pointValue: 5n,
      shortfall: "refuse",
    });
    const answer = { status: 404, headers: {}, body: "" };
    const actor = { kind: "staff", id: owner.uid, name: "x", address: null } as const;
    const queued = { storefrontId: "nobody", posting, claim: null, render: () => answer };
    expect(await runAs(actor, () => queue.post(queued))).toBe(answer);
    expect([...acted]).toEqual(["system"]);
  });

  test("is never changed", async () => {
    const { owner: db } = service; // the service's role is refused before: tampering.test.ts
    await expect(db.execute("update audit_entry set actor_name = 'x'")).rejects.toThrow("append only");
    await expect(db.execute("delete from audit_entry")).rejects.toThrow("append only");
    await expect(db.execute("truncate audit_entry")).rejects.toThrow("append only");
  });

  test("a change that is rolled back leaves nothing, and last use of a credential nothing either", async () => {
    const before = (await entries()).length;
    await service.deps.db.execute("update credential set last_used_at = $1", [service.clock.now()]);
    const failed = service.deps.db.tx(async (tx) => {
      await tx.execute("update staff set name = 'x'");
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    expect((await entries()).length).toBe(before);
  });
});
