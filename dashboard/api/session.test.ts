import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { forgetPage, keepPage, takeSignedOut } from "./session.ts";

test("after a sign-out the page is not kept; after one that failed it is", () => {
  expect(takeSignedOut()).toBe(false);
  forgetPage();
  expect([takeSignedOut(), takeSignedOut()]).toEqual([true, false]);
  forgetPage();
  keepPage(ApiError.unsent());
  expect(takeSignedOut()).toBe(false);
  forgetPage();
  keepPage(new ApiError(401, "Unauthorized"));
  expect(takeSignedOut()).toBe(true);
});
