import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { CSRF, STAFF_PASSWORD, signIn } from "../support/staff.ts";

let service: TestService;
let email: string;
let uid: string;

beforeAll(async () => {
  service = await startTestService({ worker: false, config: { proxies: 1, publicUrl: "https://points.example" } });
  ({ email, uid } = await signIn(service, "owner"));
});
afterAll(() => service.stop());

interface From {
  readonly address: string;
  readonly cookie?: string;
  readonly as?: string;
}

function attempt(password: string, { address, cookie, as = email }: From) {
  const headers = { ...CSRF, "x-forwarded-for": address, ...(cookie === undefined ? {} : { cookie }) };
  return createClient(`${service.url}/admin/api`, null).post("/session", { email: as, password }, headers);
}

const right = (from: From) => attempt(STAFF_PASSWORD, from);

/** The cookie by which a browser is known that signed in from an address. */
async function knownBrowser(address: string): Promise<string> {
  const answer = await right({ address });
  expect(answer.status).toBe(200);
  return answer.headers.getSetCookie()[1]?.split(";", 1)[0] ?? "";
}

async function guess(times: number, from: (n: number) => From): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push((await attempt(`guess ${n}`, from(n))).status);
  return statuses;
}

/** Scores of passwords are checked, one after the other. */
const LONG_MS = 300_000;

describe("whoever guesses an owner's password", { timeout: LONG_MS }, () => {
  test("locks their own address out, not the owner elsewhere", async () => {
    expect(await guess(6, () => ({ address: "203.0.113.1" }))).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await right({ address: "203.0.113.1" })).status).toBe(429);
    expect((await right({ address: "198.51.100.7" })).status).toBe(200);
  });

  test("at the owner's own address does not lock a browser out that signed in before", async () => {
    service.clock.advance({ hours: 25 });
    const cookie = await knownBrowser("198.51.100.8");
    for (let n = 0; n < 21; n++) await attempt("guess", { address: "198.51.100.8", as: `many${n % 7}@store.example` });
    expect((await right({ address: "198.51.100.8" })).status).toBe(429);
    expect((await right({ address: "198.51.100.8", cookie })).status).toBe(200);
  });

  test("from many addresses is slowed down, a known browser is not, and a new one waits a minute at most", async () => {
    service.clock.advance({ hours: 25 });
    const cookie = await knownBrowser("198.51.100.9");
    const statuses = await guess(60, (n) => ({ address: `192.0.2.${n}` }));
    expect(statuses.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 401));
    expect(statuses.slice(50)).toEqual(Array.from({ length: 10 }, () => 429));
    for (let n = 0; n < 10; n++) {
      service.clock.advance({ minutes: 1 });
      await attempt("guess", { address: `192.0.3.${n}` });
    }
    const waits = await right({ address: "198.51.100.10" });
    expect(Number(waits.headers.get("retry-after"))).toBe(60);
    expect((await right({ address: "198.51.100.10", cookie })).status).toBe(200);
    service.clock.advance({ minutes: 1 });
    expect((await right({ address: "198.51.100.10" })).status).toBe(200);
  });

  test("on a known browser is counted there, and for nobody else", async () => {
    service.clock.advance({ hours: 25 });
    const cookie = await knownBrowser("198.51.100.11");
    expect(await guess(6, () => ({ address: "198.51.100.11", cookie }))).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await right({ address: "198.51.100.11", cookie })).status).toBe(429);
    expect((await right({ address: "198.51.100.11" })).status).toBe(200);
    const stranger = await signIn(service, "viewer");
    service.clock.advance({ hours: 25 });
    const other = { address: "198.51.100.12", cookie, as: stranger.email };
    expect(await guess(6, () => other)).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await attempt("x", { address: "198.51.100.13", as: stranger.email })).status).toBe(401);
  });
});

test("a browser keeps its cookie from one sign-in to the next; the newest twenty of a person are known", async () => {
  service.clock.advance({ hours: 25 });
  const first = await knownBrowser("198.51.100.14");
  const again = await right({ address: "198.51.100.14", cookie: first });
  expect(again.headers.getSetCookie()[1]?.split(";", 1)[0]).toBe(first);
  for (let n = 0; n < 20; n++) {
    service.clock.advance({ seconds: 1 });
    await knownBrowser("198.51.100.15");
  }
  const [devices] = await service.deps.db.query(
    "select count(*)::integer as n from staff_device where staff_uid = $1",
    [uid],
  );
  expect(devices).toEqual({ n: 20 });
  const last = await right({ address: "198.51.100.14", cookie: first });
  expect(last.headers.getSetCookie()[1]?.split(";", 1)[0]).not.toBe(first);
});

test("a lockout of a clock that was ahead does not last until then", async () => {
  const present = service.clock.now();
  service.clock.set("2028-03-01T00:00:00Z");
  const from = { address: "203.0.113.28" };
  expect(await guess(6, () => from)).toEqual([401, 401, 401, 401, 401, 429]);
  service.clock.set(present);
  expect((await right(from)).status).toBe(200);
  expect(await guess(6, () => from)).toEqual([401, 401, 401, 401, 401, 429]);
});
