import pg from "pg";
import { expect, test } from "vitest";
import { isDatabaseAway } from "../db/database-away.ts";
import { Problem } from "../problems.ts";
import { refusalBody, refusalHeaders, refusalOf } from "./refusal.ts";

const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

test.each([
  failure("connect ECONNREFUSED", { code: "ECONNREFUSED" }),
  failure("connect ENOENT /run/.s.PGSQL.5432", { code: "ENOENT", syscall: "connect" }),
  failure("Connection terminated unexpectedly"),
  failure("timeout exceeded when trying to connect"),
  failure("timeout expired"),
  failure("certificate has expired", { code: "CERT_HAS_EXPIRED" }),
  new AggregateError([failure("x", { code: "ECONNREFUSED" })], "every address refused"),
])("%s: the database is away", (error) => {
  expect(isDatabaseAway(error)).toBe(true);
  expect(refusalOf(error)).toMatchObject({ status: 503, title: "Service unavailable" });
  expect(Number(refusalHeaders(refusalOf(error))["retry-after"])).toBeGreaterThan(0);
});

test.each(["28P01", "28000", "3D000"])("a login refused with %s after a change of the password: so too", (code) => {
  const error = new pg.DatabaseError("no", 2, "error");
  error.code = code;
  expect(refusalOf(error).status).toBe(503);
});

test.each([
  failure("x is not a function"),
  failure("open", { code: "ENOENT", syscall: "open" }),
  "text",
  null,
  undefined,
])("%s is a bug: 500 without internals", (error) => {
  expect(refusalOf(error)).toMatchObject({ status: 500, title: "Internal server error", faults: [] });
});

test.each([
  ["FST_ERR_CTP_BODY_TOO_LARGE", 413],
  ["FST_ERR_CTP_INVALID_MEDIA_TYPE", 415],
])("%s is %i", (code, status) => {
  expect(refusalOf(failure("", { code, statusCode: status })).status).toBe(status);
});

test("both shapes of a body", () => {
  const refusal = new Problem("invalid", {
    faults: [
      { pointer: "/a", detail: "expected b" },
      { parameter: "c", detail: "expected d" },
    ],
  });
  const head = { status: "422", title: "Invalid value", code: "invalid" };
  expect(JSON.parse(refusalBody(refusal, undefined))).toEqual({
    errors: [
      { ...head, detail: "expected b", source: { pointer: "/a" } },
      { ...head, detail: "expected d", source: { parameter: "c" } },
    ],
  });
  expect(JSON.parse(refusalBody(new Problem("customer_not_found"), "2.0.0"))).toEqual({
    status: 404,
    title: "Customer was not found",
    errors: [{ title: "Customer was not found", code: "customer_not_found" }],
  });
});
