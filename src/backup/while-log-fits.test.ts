import { expect, test } from "vitest";
import { whileLogFits } from "./while-log-fits.ts";

test("a backup for which the database keeps more of its log than its disk has left is given up", async () => {
  const put: string[] = [];
  let held = 0;
  const target = {
    path: "/backups/b",
    put: async (name: string) => void put.push(name),
    finish: async () => {},
    discard: async () => {},
  };
  const limited = whileLogFits(target, { heldBytes: async () => held, freeBytes: async () => 400_000_000 });
  for (held of [0, 400_000_000]) await limited.put(`base/${held}`, Buffer.alloc(1));
  held = 512_000_000;
  const late = limited.put("base/late", Buffer.alloc(1));
  await expect(late).rejects.toThrow("keeps 512 MB of its log for it, and its disk has 400 MB left");
  expect(put).toEqual(["base/0", "base/400000000"]);
});
