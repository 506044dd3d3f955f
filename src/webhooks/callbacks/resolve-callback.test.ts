import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Config } from "../../config.ts";
import { checkCallback } from "./check-callback.ts";
import { resolveCallback } from "./resolve-callback.ts";

const config = { allowPrivateCallbacks: false, callbackPorts: [] } as unknown as Config; // cast: nothing else is read

/** A resolver that answers nothing until `answer` is called. */
function slowResolver() {
  const held = Promise.withResolvers<readonly string[]>();
  const asked: string[] = [];
  const resolver = (host: string) => {
    asked.push(host);
    return held.promise;
  };
  return { resolver, asked, answer: () => held.resolve(["93.184.216.34"]) };
}

describe("slow lookups", () => {
  test("of one host at the same time are one lookup, and the next time it is looked up again", async () => {
    const { resolver, asked, answer } = slowResolver();
    const found = Array.from({ length: 5 }, () => resolveCallback({ config }, "hooks.example", resolver));
    expect(asked).toEqual(["hooks.example"]);
    answer();
    expect(await Promise.all(found)).toEqual(Array.from({ length: 5 }, () => ["93.184.216.34"]));
    await resolveCallback({ config }, "hooks.example", resolver);
    expect(asked).toHaveLength(2);
  });

  test("of hosts that were slow are made one at a time, and others do not wait for them", async () => {
    const { resolver, asked, answer } = slowResolver();
    let isFirst = true;
    const flaky = async (host: string) => {
      if (!isFirst) return resolver(host);
      if (host !== "refused.example") await delay(2_100); // longer than a lookup may take before it counts as slow
      throw new Error("EAI_AGAIN");
    };
    const resolve = (host: string) => resolveCallback({ config }, host, flaky);
    await Promise.allSettled([resolve("slow.example"), resolve("slower.example"), resolve("refused.example")]);
    isFirst = false;
    const found = [
      resolve("slow.example"),
      resolve("slower.example"),
      resolve("refused.example"),
      resolve("fast.example"),
    ];
    expect(asked).toEqual(["slow.example", "refused.example", "fast.example"]);
    answer();
    await Promise.all(found);
    expect(asked.slice(3)).toEqual(["slower.example"]);
    const again = [resolve("slow.example"), resolve("slower.example")];
    expect(asked.slice(4)).toEqual(["slow.example", "slower.example"]);
    await Promise.all(again);
  });

  test("of new callbacks are made one at a time, and many of them are refused", async () => {
    const { resolver, asked, answer } = slowResolver();
    const checks = Array.from({ length: 22 }, (_, i) =>
      checkCallback({ config }, `https://h${i}.example/`, { resolver }),
    );
    expect(asked).toEqual(["h0.example"]);
    await expect(checks.at(-1)).rejects.toMatchObject({ code: "unavailable" });
    answer();
    await Promise.all(checks.slice(0, -1));
    expect(asked).toHaveLength(21);
  });
});
