import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic } from "../support/client.ts";
import { CREATE_PROBE_TABLE, createProbe } from "../support/probe-routes.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
const logged: string[] = [];
const probe = createProbe();

beforeAll(async () => {
  service = await startTestService({
    worker: false,
    extraRoutes: probe.routes,
    config: { platform: "shopify" },
    log: (line) => logged.push(line),
  });
  await service.owner.execute(CREATE_PROBE_TABLE);
});

afterAll(() => service.stop());

const PATH = "/api/storefront/probe";

describe("interface.md 7 and program.md 1: bodies", () => {
  test.each([
    ["a string", { point_value: "5" }, "/point_value"],
    ["true", { point_value: true }, "/point_value"],
    ["null", { point_value: null }, "/point_value"],
    ["a fraction", { point_value: 1.5 }, "/point_value"],
    ["an absent field", {}, "/point_value"],
    ["a long note", { point_value: 1, note: "123456" }, "/note"],
    ["a boolean id", { point_value: 1, customer_id: true }, "/customer_id"],
  ])("%s is 422 that names the field", async (_name, body, pointer) => {
    const answer = await service.client.post(PATH, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      {
        status: "422",
        title: "Invalid value",
        code: "invalid",
        detail: expect.stringContaining("expected"),
        source: { pointer },
      },
    ]);
  });

  test("all faults come at once, with what was expected", async () => {
    const answer = await service.client.post(PATH, { point_value: "5", note: 7 });
    expect(answer.body.errors.map((e: { detail: string }) => e.detail)).toEqual([
      "expected an integer from -9007199254740991 to 9007199254740991",
      "expected a string of at most 5 characters or null",
    ]);
  });

  test.each(["9007199254740993", "1e400", "12345678901234567890.0", "9007199254740992"])(
    "%s is too large",
    async (digits) => {
      expect((await service.client.post(PATH, `{"point_value":${digits}}`)).status).toBe(422);
    },
  );

  test("an id beyond 2^53 survives digit for digit, as number and as string", async () => {
    for (const id of ["820982911946154509", '"820982911946154509"']) {
      const answer = await service.client.post(PATH, `{"point_value":1,"customer_id":${id}}`);
      expect(answer.body.data.sent.customer_id).toBe("820982911946154509");
    }
  });

  test("notes count code points", async () => {
    expect((await service.client.post(PATH, { point_value: 1, note: "😀😀😀😀😀" })).status).toBe(200);
    expect((await service.client.post(PATH, { point_value: 1, note: "👨‍👩‍👧‍👦" })).status).toBe(422);
  });

  test.each([
    ["U+0000", '{"point_value":1,"note":"a\\u0000"}', "/note"],
    ["a lone surrogate", '{"point_value":1,"note":"\\ud800"}', "/note"],
    ["U+0000 in a field nobody asked for", '{"point_value":1,"other":{"a/b":["\\u0000"]}}', "/other/a~1b/0"],
  ])("%s is 422", async (_name, body, pointer) => {
    const answer = await service.client.post(PATH, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source).toEqual({ pointer });
  });

  test("an escaped pair is text", async () => {
    const answer = await service.client.post(PATH, '{"point_value":1,"note":"\\ud83d\\ude00"}');
    expect(answer.body.data.sent.note).toBe("😀");
  });

  test.each(["{", "{'point_value':1}", "", "[".repeat(100_000)])(
    "%.20s: unreadable is 400, nothing is no body",
    async (body) => {
      const answer = await service.client.post(PATH, body);
      expect(answer.status).toBe(body === "" ? 422 : 400);
      if (body !== "") expect(answer.body.errors[0].title).toBe("Request body is not valid JSON");
    },
  );

  test("bytes that are no UTF-8 are 400", async () => {
    const bytes = Buffer.concat([Buffer.from('{"point_value":1,"note":"'), Buffer.of(0xff), Buffer.from('"}')]);
    expect(await sendBytes("POST", bytes, "application/json")).toBe(400);
  });

  test("a prototype is not reached", async () => {
    const answer = await service.client.post(PATH, '{"point_value":1,"__proto__":{"x":1},"\\u005f_proto__":{"y":1}}');
    expect(Object.keys(answer.body.data.sent)).toEqual(["point_value"]);
  });

  test.each([
    ["application/json; charset=utf-8", 200],
    ["application/vnd.store+json", 200],
    ["Application/JSON", 200],
    ["application/json; charset=shift_jis", 415],
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
  ])("media type %s", async (type, status) => {
    const answer = await service.client.post(PATH, { point_value: 1 }, { "content-type": type });
    expect(answer.status).toBe(status);
  });

  test("a body above 1 MB is 413", async () => {
    const answer = await service.client.post(PATH, { point_value: 1, other: "x".repeat(1_100_000) });
    expect(answer.status).toBe(413);
    expect(answer.body.errors[0]).toEqual({
      status: "413",
      title: "Request body is too large",
      code: "body_too_large",
    });
  });
});

describe("paths, methods, parameters", () => {
  test("an unknown path is 404", async () => {
    for (const path of ["/nothing", "/api/storefront/nothing", "/api/other/probe"]) {
      const answer = await service.client.get(path);
      expect([answer.status, answer.body]).toEqual([
        404,
        { errors: [{ status: "404", title: "Not found", code: "not_found" }] },
      ]);
    }
  });

  test("a known path under another method is 405 with Allow", async () => {
    const answer = await service.client.delete(PATH);
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
    expect((await service.client.put("/api/storefront/probe/1")).headers.get("allow")).toBe("GET, HEAD");
  });

  test("the routes answer under the platform's name too", async () => {
    expect((await service.client.get("/api/shopify/probe")).status).toBe(200);
  });

  test("HEAD of a file makes no file", async () => {
    const headers = { authorization: basic(service.credential) };
    const head = await fetch(`${service.url}${PATH}/file`, { method: "HEAD", headers });
    expect(head.status).toBe(200);
    const file = await fetch(`${service.url}${PATH}/file`, { headers });
    expect(await file.text()).toHaveLength(100);
    expect(probe.pieces()).toBe(100);
  });

  test("a path part holds 1,000 characters", async () => {
    const at = async (part: string) => (await service.client.get(`${PATH}/${part}`)).status;
    expect(await at("x".repeat(1_000))).toBe(200);
    expect(await at("x".repeat(1_001))).toBe(414);
    expect(await at(encodeURIComponent("名".repeat(1_000)))).toBe(200);
  });

  test("a path that cannot be decoded is 400, U+0000 in one 422", async () => {
    expect((await service.client.get(`${PATH}/%ff`)).status).toBe(400);
    const answer = await service.client.get(`${PATH}/a%00b`);
    expect([answer.status, answer.body.errors[0].source]).toEqual([422, { parameter: "customer" }]);
    expect((await service.client.get(`${PATH}?cursor=%00`)).status).toBe(422);
    expect((await service.client.get(`${PATH}/a%00b?customer=7`)).status).toBe(422); // a query hides no path
  });

  test.each([
    "page=0",
    "page=-1",
    "page=x",
    "page=",
    "page=1.5",
    "per_page=251",
    "per_page=0",
    "direction=up",
    "page=1&page=2",
  ])("%s is 422 that names the parameter", async (query) => {
    const answer = await service.client.get(`${PATH}?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source).toEqual({ parameter: query.split("=")[0] });
  });

  test("direction is read in any case", async () => {
    const answer = await service.client.get(`${PATH}?page=2&per_page=10&direction=Desc`);
    expect(answer.body.data).toEqual({ page: 2, perPage: 10, direction: "desc", cursor: null });
  });
});

describe("failures", () => {
  test("a bug is 500 without internals, and is logged", async () => {
    const answer = await service.client.post(PATH, { point_value: 500 });
    expect([answer.status, answer.body]).toEqual([
      500,
      {
        errors: [{ status: "500", title: "Internal server error", code: "internal" }],
        request_id: answer.headers.get("x-request-id"),
      },
    ]);
    expect(logged.some((line) => line.includes("a bug with a secret in it"))).toBe(true);
    expect(logged.join("")).not.toContain(service.credential.secret);
  });

  test("a refusal of the work has the documented shape, exactly", async () => {
    const answer = await service.client.post(PATH, { point_value: -1 });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      errors: [
        { status: "400", title: "Point allotment would result in a negative balance", code: "negative_balance" },
      ],
    });
  });

  test("what is no HTTP is answered in the same shape", async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => socket.write("NO HTTP\r\n\r\n"));
      let received = "";
      socket.on("data", (data) => {
        received += data;
      });
      socket.on("close", () => resolve(received));
      socket.on("error", reject);
    });
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).toContain('{"errors":[{"status":"400","title":"Bad Request","code":"bad_request"}]}');
  });

  test("headers that are too large are 431 in the same shape, on a connection that was used before too", async () => {
    const text = await new Promise<string>((resolve) => {
      let received = "";
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () =>
        socket.write("GET /health HTTP/1.1\r\nhost: a\r\n\r\n"),
      );
      socket.on("data", (data) => {
        const isFirst = received === "";
        received += data;
        if (isFirst) socket.write(`GET /health HTTP/1.1\r\nhost: a\r\nx-long: ${"x".repeat(131_072)}\r\n\r\n`);
      });
      socket.on("close", () => resolve(received));
      socket.on("error", () => undefined); // the server may reset a connection that it does not read to the end
    });
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    expect(text).toContain("HTTP/1.1 431 ");
    expect(text).toContain(
      '{"errors":[{"status":"431","title":"Request Header Fields Too Large","code":"headers_too_large"}]}',
    );
  });

  test("every answer carries the security headers", async () => {
    for (const path of [PATH, "/nothing", "/health"]) {
      const { headers } = await service.client.get(path);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
    }
  });

  test("no answer of the API is kept by a cache", async () => {
    for (const path of [PATH, `${PATH}?page=0`, "/nothing", "/health", "/api/storefront/tiers", `${PATH}/%ff`])
      expect((await service.client.get(path)).headers.get("cache-control"), path).toBe("no-store");
    expect((await service.client.as(null).get(PATH)).headers.get("cache-control")).toBe("no-store");
  });
});

/** Sends bytes as they are. */
function sendBytes(method: string, bytes: Buffer, type: string): Promise<number | undefined> {
  const { key, secret } = service.credential;
  return new Promise((resolve, reject) => {
    const headers = { "content-type": type };
    const sent = httpRequest(`${service.url}${PATH}`, { method, headers, auth: `${key}:${secret}` }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}
