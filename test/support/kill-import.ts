import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { workImports } from "../../src/imports/work-imports.ts";
import type { TestService } from "./service.ts";
import type { AdminClient } from "./staff.ts";
import { waitUntil } from "./wait-until.ts";

const NODE = fileURLToPath(new URL("import-until-killed.ts", import.meta.url));
const KILLS = 2;
/** A separate process may start late on a busy machine. */
const STARTED_MS = 120_000;

/** A part of the work on an import. */
export interface ImportPart {
  readonly uid: string;
  readonly verb: "check" | "start" | "undo";
  readonly body?: object;
}

/** Starts a part, kills nodes in the middle of it, and lets two other nodes finish it together; returns the import. */
export async function killImport(
  service: TestService,
  manager: AdminClient,
  { uid, verb, body = {} }: ImportPart,
): Promise<Record<string, unknown>> {
  const started = await manager.post(`/imports/${uid}/${verb}`, body);
  expect(started.status, started.text).toBe(200);
  const working = started.body.data.state;
  const states: string[] = [];
  for (let kill = 0; kill < KILLS && states.every((state) => state === working); kill++) {
    await killInTheMiddle(service, uid, working);
    states.push((await manager.get(`/imports/${uid}`)).body.data.state);
  }
  expect(states[0], `${verb} was over before the first kill`).toBe(working);
  await Promise.all([workImports(service.deps), workImports(service.deps)]);
  return (await manager.get(`/imports/${uid}`)).body.data;
}

/**
 * A node in a separate process that is killed after it has done something, even if only the end: an earlier one may have done every row. Its lease is
 * ended at once, instead of a minute later.
 */
async function killInTheMiddle({ deps, connection }: TestService, uid: string, working: string): Promise<void> {
  const before = await doneRows(deps, uid);
  const now = deps.clock.now().toString();
  const child = spawn(process.execPath, [NODE, JSON.stringify(connection), now], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const closed = once(child, "close");
  await waitUntil(
    async () => (await doneRows(deps, uid)) > before || (await stateOf(deps, uid)) !== working,
    STARTED_MS,
  );
  child.kill("SIGKILL");
  expect((await closed)[1]).toBe("SIGKILL");
  await deps.db.execute("update import set lease_until = null where uid = $1", [uid]);
}

async function doneRows({ db }: TestService["deps"], uid: string): Promise<number> {
  const [row] = await db.query<{ rows: bigint }>(
    "select coalesce(sum(row_count), 0)::bigint as rows from import_step where import_uid = $1",
    [uid],
  );
  return Number(row?.rows ?? 0n);
}

async function stateOf({ db }: TestService["deps"], uid: string): Promise<string | undefined> {
  return (await db.query<{ state: string }>("select state from import where uid = $1", [uid]))[0]?.state;
}
