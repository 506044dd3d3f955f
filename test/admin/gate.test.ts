import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminRoutes } from "../../src/admin/admin-routes.ts";
import type { App } from "../../src/http/app-type.ts";
import { createServer } from "../../src/http/create-server.ts";
import { can, PERMISSIONS, type Permission } from "../../src/staff/permissions.ts";
import { ROLES, type Role } from "../../src/wire/access.ts";
import { createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, adminClient, signIn } from "../support/staff.ts";

/** What a stranger may ask: nothing else is open. */
const OPEN = [
  "DELETE /session",
  "GET /session",
  "GET /session/oidc/callback",
  "GET /theme/logo.png",
  "HEAD /session",
  "HEAD /session/oidc/callback",
  "HEAD /theme/logo.png",
  "POST /invitation",
  "POST /invitation/look",
  "POST /session",
  "POST /session/oidc",
  "POST /session/passkey",
  "POST /session/passkey/challenge",
  "POST /setup",
];
const PREFIX = "/admin/api";

interface KnownRoute {
  readonly method: string;
  readonly path: string;
  readonly permission: Permission | undefined;
}

let service: TestService;
let routes: KnownRoute[];
const people = new Map<Role, AdminClient>();

beforeAll(async () => {
  service = await startTestService({ worker: false });
  routes = await readRoutes(service);
  for (const role of ROLES) people.set(role, await signIn(service, role));
});
afterAll(() => service.stop());

/** Every route that the dashboard's features register. */
async function readRoutes({ deps }: TestService): Promise<KnownRoute[]> {
  const found: KnownRoute[] = [];
  const app = createServer(deps, () => null);
  app.addHook("onRoute", ({ method, url, config }) => {
    for (const one of [method].flat())
      found.push({ method: one, path: url.slice(PREFIX.length), permission: config?.permission });
  });
  app.register(
    (scope: App, _options, done) => {
      adminRoutes(scope, deps);
      done();
    },
    { prefix: PREFIX },
  );
  await app.ready();
  await app.close();
  return found;
}

const filled = (path: string) => path.replaceAll(/:\w+/g, "01900000-0000-7000-8000-000000000000");
const isRead = ({ method }: KnownRoute) => method === "GET" || method === "HEAD";
const guarded = () => routes.filter((route) => route.permission !== undefined);

function ask(client: Pick<AdminClient, "get" | "post" | "put" | "delete">, { method, path }: KnownRoute) {
  const to = filled(path);
  if (method === "POST") return client.post(to, {});
  if (method === "PUT") return client.put(to, {});
  return method === "DELETE" ? client.delete(to, {}) : client.get(to);
}

describe("every route of the dashboard", () => {
  test("says who may use it, or is on the short list", () => {
    expect(routes.length).toBeGreaterThan(20);
    const open = routes.filter((route) => route.permission === undefined);
    expect(open.map((route) => `${route.method} ${route.path}`).sort()).toEqual(OPEN);
    for (const { permission } of guarded()) expect(PERMISSIONS).toContain(permission);
    for (const { method } of routes) expect(["GET", "HEAD", "POST", "PUT", "DELETE"]).toContain(method);
  });

  test("answers 401 without a session, or with a wrong one", async () => {
    const cookies = [null, `pointkeeper_session=${"A".repeat(43)}`];
    for (const cookie of cookies) {
      const stranger = adminClient(service.url, cookie);
      for (const route of guarded()) {
        const answer = await ask(stranger, route);
        expect([route.method, route.path, answer.status]).toEqual([route.method, route.path, 401]);
      }
    }
  });

  test("answers 403 to every role that lacks the permission, and changes nothing", async () => {
    const readAudited = () => service.deps.db.query("select count(*)::int as entries from audit_entry");
    const before = await readAudited();
    let refused = 0;
    for (const role of ROLES) {
      const client = people.get(role);
      if (client === undefined) throw new Error(`nobody has the role ${role}`);
      for (const route of guarded()) {
        if (route.permission === undefined || can(role, route.permission)) continue;
        refused++;
        const answer = await ask(client, route);
        expect([role, route.method, route.path, answer.status]).toEqual([role, route.method, route.path, 403]);
        expect(answer.body.errors[0].detail).toContain(`the role ${role} lacks the permission ${route.permission}`);
      }
    }
    expect(refused).toBeGreaterThan(100);
    expect(await readAudited()).toEqual(before);
  });

  test("that changes anything answers 403 without the dashboard's header, even to an owner", async () => {
    const { cookie = "" } = people.get("owner") ?? {};
    const bare = createClient(`${service.url}${PREFIX}`, null);
    for (const route of routes.filter((one) => !isRead(one))) {
      const answer = await bare.request(route.method, filled(route.path), { body: {}, headers: { cookie } });
      expect([route.method, route.path, answer.status]).toEqual([route.method, route.path, 403]);
    }
  });

  test("that reads lets in the least role that is permitted", async () => {
    for (const route of guarded().filter(isRead)) {
      const role = ROLES.findLast((one) => route.permission !== undefined && can(one, route.permission));
      const client = people.get(role ?? "owner");
      const answer = client === undefined ? undefined : await ask(client, route);
      expect([401, 403]).not.toContain(answer?.status);
      expect(answer?.status).toBeLessThan(500);
    }
  });
});

test("a credential of the API opens nothing of the dashboard, and a session nothing of the API", async () => {
  expect((await service.client.get(`${PREFIX}/people`)).status).toBe(401);
  const { cookie = "" } = people.get("owner") ?? {};
  const answer = await createClient(service.url, null).get("/api/storefront/webhooks", { cookie });
  expect(answer.status).toBe(401);
});
