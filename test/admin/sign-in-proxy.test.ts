import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { CSRF, signIn } from "../support/staff.ts";

describe("behind a proxy", () => {
  let proxied: TestService;
  beforeAll(async () => {
    proxied = await startTestService({ worker: false, config: { proxies: 1, publicUrl: "https://points.example" } });
  });
  afterAll(() => proxied.stop());
  const from = (address: string, email: string) =>
    createClient(`${proxied.url}/admin/api`, null).post(
      "/session",
      { email, password: "x" },
      { ...CSRF, "x-forwarded-for": address },
    );

  test("the addresses of one IPv6 network are one, and an IPv4 address written as IPv6 is itself", async () => {
    for (let i = 0; i < 20; i++)
      expect((await from(`2001:db8:1:2::${i + 1}`, `six${i}@store.example`)).status).toBe(401);
    expect((await from("2001:db8:1:2:ffff::1", "six@store.example")).status).toBe(429);
    expect((await from("2001:db8:1:3::1", "seven@store.example")).status).toBe(401);
    for (let i = 0; i < 20; i++)
      expect((await from(i % 2 === 0 ? "203.0.113.9" : "::ffff:203.0.113.9", `four${i}@store.example`)).status).toBe(
        401,
      );
    expect((await from("::ffff:203.0.113.9", "four@store.example")).status).toBe(429);
  });

  test("a port that the proxy writes behind the address makes no other address of it", async () => {
    for (let i = 0; i < 20; i++)
      expect((await from(`203.0.113.77:${50_000 + i}`, `port${i}@store.example`)).status).toBe(401);
    expect((await from("203.0.113.77:60000", "port@store.example")).status).toBe(429);
    expect((await from("x".repeat(5_000), "long@store.example")).status).toBe(401);
  });

  test("what the proxy passes on as the address is stored shortened", async () => {
    const person = await signIn(proxied, "viewer");
    const { email, password } = person;
    const headers = { ...CSRF, "x-forwarded-for": "a".repeat(8_000) };
    expect(
      (await createClient(`${proxied.url}/admin/api`, null).post("/session", { email, password }, headers)).status,
    ).toBe(200);
    const stored = await proxied.deps.db.query<{ length: number }>(
      `select max(length(address)) as length from staff_session
       union all
       select max(length(address)) from audit_entry`,
    );
    expect(stored).toEqual([{ length: 64 }, { length: 64 }]);
  });

  test("too many passwords at once are not checked, and that is no failure of anybody", async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => from(`198.51.${i >> 8}.${i & 255}`, `crowd${i}@store.example`)),
    );
    const refused = answers.filter(({ status }) => status === 503);
    const tried = answers.filter(({ status }) => status === 401).length;
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.map(({ headers }) => headers.get("retry-after"))).toEqual(refused.map(() => "2"));
    expect(tried + refused.length).toBe(300);
    expect(tried).toBeGreaterThanOrEqual(42);
    const [counted] = await proxied.deps.db.query(
      "select count(*)::integer as keys, sum(failures)::integer as failures from sign_in_failure where key like 'address/198.51.%'",
    );
    expect(counted).toEqual({ keys: 300, failures: tried });
  });

  test("the cookie is for TLS where the service is reached so, and a browser is told to stay with it", async () => {
    const { email, password } = await signIn(proxied, "viewer");
    const answer = await createClient(`${proxied.url}/admin/api`, null).post("/session", { email, password }, CSRF);
    expect(answer.headers.get("set-cookie")).toMatch(/; Secure$/);
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
  });
});

test("the cookie is for TLS where a proxy was asked by it, whatever PUBLIC_URL says", async () => {
  const proxied = await startTestService({ worker: false, config: { proxies: 1 } });
  const { email, password } = await signIn(proxied, "viewer");
  const cookieBy = async (protocol: string) => {
    const headers = { ...CSRF, "x-forwarded-proto": protocol };
    const answer = await createClient(`${proxied.url}/admin/api`, null).post("/session", { email, password }, headers);
    expect(answer.headers.get("strict-transport-security")).toBeNull();
    return answer.headers.get("set-cookie");
  };
  expect(await cookieBy("https")).toMatch(/; Secure$/);
  expect(await cookieBy("http")).toMatch(/; SameSite=Strict$/);
  await proxied.stop();
});
