import { expect, test } from "vitest";
import { toApiError } from "../../api/api-error.ts";
import { bodyOf } from "../../api/body-of.ts";
import { foreignAnswer } from "./foreign-answer.ts";

const t = { foreign: (status: string) => `foreign ${status}`, tooLargeForProxy: "too large for a proxy" };
const PAGE = "<!doctype html><h1>Access denied</h1>";
const ours = (title: string) => JSON.stringify({ errors: [{ title }] });

test.each([
  ["a firewall that refuses", toApiError(403, PAGE, null), t.foreign("403")],
  ["a proxy that takes no large file", toApiError(413, PAGE, null), t.tooLargeForProxy],
  ["a page of a network's sign-in", toApiError(200, PAGE, null), t.foreign("200")],
  ["a refusal by role", toApiError(403, ours("Forbidden"), null), null],
  ["a file that the service finds too large", toApiError(413, ours("Request body is too large"), null), null],
  ["a page that is not there", toApiError(404, PAGE, null), null],
  ["a proxy that gave up", toApiError(504, PAGE, null), null],
])("%s is named in words, if it is not the service's", (_, error, said) => {
  expect(foreignAnswer(error, t)).toBe(said);
});

test("a page in place of an answer is no fault of the service", () => {
  expect(bodyOf(200, '{"data":1}')).toEqual({ data: 1 });
  expect(bodyOf(204, "")).toBeUndefined();
  expect(() => bodyOf(200, PAGE)).toThrow(toApiError(200, PAGE, null));
});
