import { expect, test } from "vitest";
import { createLimiter } from "./limiter.ts";

test("so many run at once, so many wait in their order, and the rest is refused with the seconds to wait", async () => {
  const limit = createLimiter({ running: 2, waiting: 3 });
  const begun: number[] = [];
  const ends = Array.from({ length: 7 }, () => Promise.withResolvers<void>());
  const works = ends.map(({ promise }, i) =>
    limit(() => {
      begun.push(i);
      return promise.then(() => i);
    }).catch((error: unknown) => error),
  );
  const refused = { code: "unavailable", retryAfterS: 2 };
  expect(await Promise.all(works.slice(5))).toMatchObject([refused, refused]);
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve();
  expect(await works[1]).toBe(1);
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.reject(new Error("failed"));
  expect(await works[0]).toMatchObject({ message: "failed" });
  expect(begun).toEqual([0, 1, 2, 3]);
  for (const { resolve } of ends) resolve();
  expect(await Promise.all(works.slice(2, 5))).toEqual([2, 3, 4]);
  expect(await limit(async () => "again")).toBe("again");
});
