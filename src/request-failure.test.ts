import { expect, test } from "vitest";
import { requestFailure } from "./request-failure.ts";

test("a request that failed says the reason that its cause has, or at least the cause's code", () => {
  const failed = (cause: unknown) => new TypeError("fetch failed", { cause });
  const severalAddresses = Object.assign(new Error("replaced"), { message: "", code: "ECONNREFUSED" });
  expect(requestFailure(failed(new Error("certificate has expired")))).toBe("certificate has expired");
  expect(requestFailure(failed(severalAddresses))).toBe("ECONNREFUSED");
  expect(requestFailure(failed(undefined))).toBe("fetch failed");
  expect(requestFailure("away")).toBe("away");
});
