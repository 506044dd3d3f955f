import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import {
  type AdminClient,
  acceptLink,
  CSRF,
  cookieOf,
  STAFF_PASSWORD,
  signIn,
  signInAs,
  tokenOfLink,
} from "../support/staff.ts";

let service: TestService;
let owner: AdminClient;
let made = 0;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  owner = await signIn(service, "owner");
});
afterAll(() => service.stop());

async function invite(role = "support"): Promise<{ uid: string; link: string; email: string; token: string }> {
  made++;
  const email = `guest${made}@store.example`;
  const answer = await owner.post("/people", { email, name: `Guest ${made}`, role });
  expect(answer.status).toBe(200);
  return { ...answer.body.data, email, token: tokenOfLink(answer.body.data.link) };
}

const stranger = () => createClient(`${service.url}/admin/api`, null);
const look = (token: string) => stranger().post("/invitation/look", { token }, CSRF);
const choose = (token: string, password = STAFF_PASSWORD) => stranger().post("/invitation", { token, password }, CSRF);

describe("a link of an invitation", () => {
  test("is told once and to nobody else: no answer, row or audit entry has a password or the token", async () => {
    const { uid, token } = await invite();
    const said = [await owner.get("/people"), await owner.get("/audit?limit=50")].map(({ text }) => text).join();
    expect(said).not.toContain(token);
    const [row] = await service.deps.db.query("select password_hash as hash from staff where uid = $1", [uid]);
    expect(row).toEqual({ hash: null });
    const [kept] = await service.deps.db.query<{ found: boolean }>(
      "select exists (select from staff_link l where to_jsonb(l)::text like '%' || $1 || '%') as found",
      [token],
    );
    expect(kept?.found).toBe(false);
    const shown = await look(token);
    expect(shown.body.data).toMatchObject({ name: `Guest ${made}`, kind: "invitation" });
    expect(shown.headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("signs its person in with the password that they chose, and works once, however many ask at once", async () => {
    const { token, email } = await invite();
    expect((await choose(token, "short")).body.errors[0].source).toEqual({ pointer: "/password" });
    expect((await look(token)).status).toBe(200);
    const answers = await Promise.all([0, 1, 2, 3, 4].map((n) => choose(token, `${STAFF_PASSWORD} ${n}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    const won = answers.findIndex(({ status }) => status === 200);
    expect(answers[won]?.body.data).toEqual({ is_signed_in: true });
    await cookieOf(service.url, { email, password: `${STAFF_PASSWORD} ${won}` });
    expect((await look(token)).status).toBe(404);
  });

  test("is over after three days, when another is made, and when its person is disabled", async () => {
    const late = await invite();
    service.clock.advance({ hours: 72 });
    expect((await choose(late.token)).status).toBe(404);
    owner = await signInAs(service.url, owner);
    const replaced = await invite();
    const again = await owner.post(`/people/${replaced.uid}/password`);
    expect((await choose(replaced.token)).status).toBe(404);
    await acceptLink(service.url, again.body.data, replaced.email);
    const disabled = await invite();
    await owner.post(`/people/${disabled.uid}/disable`);
    await owner.post(`/people/${disabled.uid}/enable`);
    expect((await choose(disabled.token)).status).toBe(404);
  });

  test("of a reset takes the password away at once; a second factor is asked for still", async () => {
    const person = await signIn(service, "viewer");
    const { uid, email, password } = person;
    const reset = await owner.post(`/people/${uid}/password`);
    await expect(cookieOf(service.url, { email, password })).rejects.toThrow("refused");
    expect((await person.get("/home")).status).toBe(401);
    const token = tokenOfLink(reset.body.data.link);
    expect((await look(token)).body.data.kind).toBe("reset");
    const box = service.deps.secretBox;
    await service.deps.db.execute("update staff set totp_sealed = $2 where uid = $1", [
      uid,
      box.seal("JBSWY3DPEHPK3PXP"),
    ]);
    const chosen = await choose(token, "another good password");
    expect(chosen.body.data).toEqual({ is_signed_in: false });
    expect(chosen.headers.get("set-cookie")).toBeNull();
  });

  test("cannot be guessed for long from one address", async () => {
    service.clock.advance({ hours: 25 });
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await look(`guess-${i}`)).status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    owner = await signInAs(service.url, owner);
    const { data } = (await owner.post("/people", { email: "late@store.example", name: "L", role: "viewer" })).body;
    expect((await look(tokenOfLink(data.link))).status).toBe(200);
    service.clock.advance({ hours: 25 });
    owner = await signInAs(service.url, owner);
  });
});

describe("an owner who was invited", () => {
  test("is none until they can sign in: the last one who can stays", async () => {
    const store = await startTestService({ worker: false });
    const only = await signIn(store, "owner");
    const answer = await only.post("/people", { email: "second@store.example", name: "Second", role: "owner" });
    expect((await only.put(`/people/${only.uid}`, { role: "viewer" })).status).toBe(409);
    const second = await acceptLink(store.url, answer.body.data, "second@store.example");
    const resets = await Promise.all([
      only.post(`/people/${second.uid}/password`),
      second.post(`/people/${only.uid}/password`),
    ]);
    expect(resets.filter(({ status }) => status === 200)).toHaveLength(1);
    await store.stop();
  });
});

describe("owners are told", () => {
  const kinds = async (reader: AdminClient) =>
    (await reader.get("/access-notices")).body.data.map(
      ({ kind, name, role, by_name }: Record<string, string>) => `${by_name} ${kind} ${name} ${role}`,
    );

  test("of each change of somebody's access, each until they have dismissed it; others are not", async () => {
    const store = await startTestService({ worker: false });
    const [hana, sato, manager] = [
      await signIn(store, "owner"),
      await signIn(store, "owner"),
      await signIn(store, "manager"),
    ];
    const [h] = await store.deps.db.query<{ name: string }>("select name from staff where uid = $1", [hana.uid]);
    store.clock.advance({ minutes: 1 });
    const invited = await hana.post("/people", { email: "new@store.example", name: "New", role: "support" });
    const { uid } = invited.body.data;
    for (const [method, path, body] of [
      ["put", `/people/${uid}`, { role: "owner" }],
      ["put", `/people/${uid}`, { role: "viewer" }],
      ["put", `/people/${uid}`, { name: "New" }],
      ["delete", `/people/${uid}/totp`, undefined],
      ["post", `/people/${uid}/password`, undefined],
      ["post", `/people/${uid}/disable`, undefined],
      ["post", `/people/${uid}/enable`, undefined],
    ] as const) {
      store.clock.advance({ seconds: 1 });
      expect((await hana[method](path, body)).status).toBe(200);
    }
    const told = [
      "enabled New viewer",
      "disabled New viewer",
      "reset New viewer",
      "totp_removed New viewer",
      "lowered New viewer",
      "raised New owner",
      "invited New support",
    ].map((text) => `${h?.name} ${text}`);
    expect(await kinds(sato)).toEqual(told);
    expect(await kinds(hana)).toEqual(told);
    expect((await manager.get("/access-notices")).status).toBe(403);
    const [first] = (await sato.get("/access-notices")).body.data;
    expect((await sato.post("/access-notices/dismiss", { uids: [first.uid, uid] })).status).toBe(200);
    expect(await kinds(sato)).toEqual(told.slice(1));
    expect(await kinds(hana)).toEqual(told);
    expect((await sato.post("/access-notices/dismiss", { uids: [] })).status).toBe(422);
    await store.stop();
  });
});
