import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { CSRF, STAFF_PASSWORD } from "../support/staff.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ worker: false, config: { publicUrl: "https://Points.example:8443/" } });
});
afterAll(() => service.stop());

interface Asked {
  readonly host: string | null;
  readonly path?: string;
  readonly method?: string;
  readonly body?: object;
}

/** Sends a request with the given `host` header, as a browser does that was led here under another name. */
function ask({ host, path = "/admin", method = "GET", body }: Asked): Promise<{ status: number; text: string }> {
  const headers = {
    ...CSRF,
    ...(host === null ? {} : { host, origin: `http://${host}` }),
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${service.url}${path}`, { method, headers, setHost: false }, async (answer) => {
      const pieces: Buffer[] = [];
      for await (const piece of answer) pieces.push(piece);
      resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString("utf8") });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const PATHS = [
  "/admin",
  "/admin/",
  "/admin/customers/1",
  "/admin/assets/x.js",
  "/admin/api/session",
  "/%61dmin/api/session",
];
const OWN = [
  "points.example",
  "POINTS.example:443",
  "points.example.",
  "localhost:3000",
  "127.0.0.1",
  "127.9.8.7:80",
  "[::1]:3000",
];
const OTHERS = [
  "evil.example",
  "points.example.evil.example",
  "localhost.evil.example",
  "10.0.0.5:3000",
  "127.0.0.1.evil.example",
  "a@points.example",
  `127.0.0.${"0".repeat(300)}1`, // a name of this machine, but longer than any host
];

describe("the dashboard", () => {
  test.each(OWN)("answers to %s", async (host) => {
    for (const path of PATHS.slice(0, 3)) expect([path, (await ask({ host, path })).status]).toEqual([path, 200]);
    expect((await ask({ host, path: "/admin/api/session" })).status).toBe(200);
  });

  test.each(OTHERS)("answers 421 to %s, whatever is asked", async (host) => {
    for (const path of PATHS) expect([path, (await ask({ host, path })).status]).toEqual([path, 421]);
    const { text } = await ask({ host });
    expect(text).toContain("PUBLIC_URL");
    expect(text).not.toContain("points.example:8443");
  });

  test("makes no owner for a page whose name was pointed here", async () => {
    const body = { code: service.setupCode, email: "o@x.example", name: "O", password: STAFF_PASSWORD };
    const asked = { path: "/admin/api/setup", method: "POST", body };
    expect((await ask({ ...asked, host: "evil.example:4120" })).status).toBe(421);
    expect(await service.deps.db.query("select uid from staff")).toEqual([]);
    expect((await ask({ ...asked, host: new URL(service.url).host })).status).toBe(200);
  });

  test("tells a stranger nothing of the store but its colour and logo", async () => {
    const { text } = await ask({ host: "localhost", path: "/admin/api/session" });
    expect(JSON.parse(text)).toEqual({
      data: {
        staff: null,
        default_views: [],
        permissions: [],
        setup_needed: false,
        totp_needed: false,
        store: null,
        theme: { color: null, logo: null },
        approval_limit: null,
        daily_limit: null,
        confirmed_until: null,
        ways_in: { password: true, passkeys: true, oidc: null, can_unlink: false },
      },
    });
  });
});

test("the API and the health routes answer under every name", async () => {
  expect((await ask({ host: "pointkeeper:3000", path: "/health" })).status).toBe(200);
  expect((await ask({ host: "pointkeeper:3000", path: "/api/storefront/webhooks" })).status).toBe(401);
});
