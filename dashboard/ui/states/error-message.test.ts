import { describe, expect, test } from "vitest";
import { ApiError, toApiError } from "../../api/api-error.ts";
import { errorMessage, isUnknownFilter } from "./error-message.ts";

const t = {
  ...{ foreign: (status: string) => `foreign ${status}`, tooLargeForProxy: "too large" },
  ...{ broken: "broken", busy: "busy", forbidden: "forbidden", notFound: "not found", offline: "offline" },
  tooManyFor: (minutes: number) => `too many for ${minutes}`,
  ...{ signedOut: "signed out", tooMany: "too many", unanswered: "unanswered", unreachable: "unreachable" },
  unknownFilter: "unknown filter",
};
const GATEWAY = "<h1>504 Gateway Time-out</h1>";
const refused = (...details: string[]) => {
  const errors = details.map((detail) => ({ title: "Unprocessable", detail, source: { parameter: "state" } }));
  return toApiError(422, JSON.stringify({ errors }), null);
};
const ours = (title: string) => JSON.stringify({ errors: [{ title }] });

describe("a failure says", () => {
  test.each([
    ["that a change without an answer may have been done", ApiError.unanswered(), t.unanswered],
    ["that a change was not sent", ApiError.unsent(), t.offline],
    ["that the service cannot be reached, where a proxy answers for it", toApiError(504, GATEWAY, null), t.unreachable],
    ["that an error of the service is logged", toApiError(500, ours("Internal server error"), null), t.broken],
    ["that there were too many requests, by whomever", toApiError(429, "<h1>Slow down</h1>", "5"), t.tooMany],
    ["the same of the service itself", toApiError(429, ours("Too many requests"), "5"), t.tooMany],
    ["how long the wait is, if it is long", toApiError(429, ours("Too many requests"), "121"), t.tooManyFor(3)],
    ["that a firewall answered", toApiError(403, "<h1>Forbidden</h1>", null), t.foreign("403")],
    [
      "that a filter is not known, and not the names of those that are",
      refused('expected one of "a", "b"'),
      t.unknownFilter,
    ],
    ["the same of a filter with one choice", refused('expected "yes"'), t.unknownFilter],
    ["the same of a page", refused("expected a `next` of this list"), t.unknownFilter],
    ["that the service is busy", toApiError(503, ours("Service unavailable"), null), t.busy],
  ])("%s", (_, error, said) => {
    expect(errorMessage(error, t)).toBe(said);
  });
});

test("a filter that is not known hides no other fault", () => {
  expect(isUnknownFilter(refused('expected one of "a", "b"', "expected a UUID"))).toBe(true);
  expect(isUnknownFilter(refused('expected one of "a", "b"', "expected a day"))).toBe(false);
});
