import { expect, test } from "vitest";
import { whileAnswering } from "../file-calls.ts";
import { saySlowPlaces } from "./say-slow-places.ts";

test("a command that waits for a folder says so, once for each", async () => {
  const [answer, firstSaid] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  const said: string[] = [];
  const say = (line: string) => {
    said.push(line);
    if (line.includes("/mnt/slow-a")) firstSaid.resolve();
    else answer.resolve(7);
  };
  async function run() {
    const first = whileAnswering("/mnt/slow-a", () => answer.promise);
    await firstSaid.promise;
    return Promise.all([first, whileAnswering("/mnt/slow-b", () => answer.promise)]);
  }
  expect(await saySlowPlaces(run, { slowMs: 20, everyMs: 5, say })).toEqual([7, 7]);
  expect(said).toEqual(
    ["/mnt/slow-a", "/mnt/slow-b"].map((place) => `Waiting for ${place}: it may be on a network share that is away.`),
  );
});
