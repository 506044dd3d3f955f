import { writeFile } from "node:fs/promises";
import { buildApp } from "../app.ts";
import { systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { createDeps } from "../create-deps.ts";
import { createSecretBox } from "../credentials/secret-box.ts";
import { openPool } from "../db/pool.ts";
import { createWakeHub } from "../jobs/wake-hub.ts";
import { createLog } from "../log.ts";
import { createRandom } from "../random.ts";
import type { Given } from "./command-line.ts";
import { print, printLine } from "./output.ts";

/** `pointkeeper openapi [--write <file>]`: the document of `/openapi.json`, without a database and independent of the settings. */
export async function openapi(given: Given): Promise<number> {
  const file = given.options.get("write");
  const text = await documentText();
  if (file === undefined) printLine(text.trimEnd());
  else {
    await writeFile(file, text);
    print(given, { json: { written: file }, text: [] });
  }
  return 0;
}

async function documentText(): Promise<string> {
  const db = openPool({ connection: {} }); // it opens a connection only on demand, which does not happen here
  const deps = createDeps({
    config: readConfig({}),
    db,
    clock: systemClock,
    random: createRandom(),
    log: createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) }),
    wake: createWakeHub().wake,
    secretBox: createSecretBox("no secret is sealed with this"),
  });
  const app = buildApp(deps);
  await app.ready();
  const text = `${JSON.stringify(app.swagger(), null, 2)}\n`;
  await app.close();
  await db.close();
  return text;
}
