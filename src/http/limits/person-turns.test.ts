import { expect, test } from "vitest";
import { createPersonTurns } from "./person-turns.ts";

test("six requests of a person are handled at once, the next ones in their order, and those of others beside them", async () => {
  const enter = createPersonTurns();
  const begun: string[] = [];
  const begin = (name: string, uid = "ann") =>
    enter(uid).then((end) => {
      begun.push(name);
      return end;
    });
  const ends = await Promise.all(["1", "2", "3", "4", "5", "6"].map((name) => begin(name)));
  const waiting = [begin("7"), begin("8")];
  await begin("other", "bob");
  expect(begun).toEqual(["1", "2", "3", "4", "5", "6", "other"]);
  ends[2]?.();
  await waiting[0];
  expect(begun.at(-1)).toBe("7");
  ends[0]?.();
  await waiting[1];
  expect(begun.at(-1)).toBe("8");
});

test("a person with too many waiting requests is refused, until some are answered", async () => {
  const enter = createPersonTurns();
  const entered = Array.from({ length: 206 }, () => enter("ann"));
  await expect(enter("ann")).rejects.toMatchObject({ code: "unavailable" });
  (await entered[0])?.();
  await entered[6];
  const last = enter("ann");
  for (const turn of entered) (await turn)();
  (await last)();
  (await enter("ann"))();
});
