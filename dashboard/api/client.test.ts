import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { apiAsk, apiGet, apiSend } from "./client.ts";

// Outside a browser an address without a host cannot be reached.
const failureOf = (request: Promise<unknown>): Promise<unknown> => request.catch((error: unknown) => error);

test("a change whose answer is lost may have been done; a read, also one that is posted, changes nothing", async () => {
  expect(await failureOf(apiSend("POST", "/theme", {}))).toEqual(ApiError.unanswered());
  expect(await failureOf(apiAsk("/segments/preview", {}))).toEqual(new ApiError(0, "unreachable"));
  expect(await failureOf(apiGet("/theme"))).toEqual(new ApiError(0, "unreachable"));
});

test("the fault of a field is told apart from one of the body, of a parameter and of no place", () => {
  const fault = (place: object) => new ApiError(422, "invalid", [{ ...place, detail: "expected a name" }]);
  expect(fault({ pointer: "/name" }).isOfField).toBe(true);
  expect([fault({ pointer: "" }), fault({ parameter: "after" }), fault({})].map((error) => error.isOfField)).toEqual([
    false,
    false,
    false,
  ]);
});
