import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmbeddedServer } from "../../../src/db/embedded/start-embedded-server.ts";
import { makeFolder } from "../../support/service-process.ts";

test("a database that others may enter is refused, with what to do", async () => {
  const folder = await makeFolder();
  const dataDir = join(folder.path, "store");
  await (await startEmbeddedServer({ dataDir })).stop();
  await chmod(join(dataDir, "pg"), 0o777); // as a copy, or a volume that is given to a group, may have it
  const says = `It must be open to its owner alone: chmod 700 "${join(dataDir, "pg")}"`;
  await expect(startEmbeddedServer({ dataDir })).rejects.toThrow(says);
  await chmod(join(dataDir, "pg"), 0o700);
  await (await startEmbeddedServer({ dataDir })).stop();
  await folder.remove();
});
