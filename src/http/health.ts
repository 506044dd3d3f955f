import { Type } from "typebox";
import { writableCheck } from "../db/read-only.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import type { App } from "./app-type.ts";
import type { Draining } from "./draining.ts";

const READY_RETRY_S = 2;
const statusSchema = Type.Object({ status: Type.String() }, { title: "Status", examples: [{ status: "ok" }] });

/**
 * Registers `/health`, which is 200 while the process runs, whatever the database does, and `/ready`. `/ready` is 200 if the database answers, is
 * migrated and accepts writes, and the service is not about to stop; otherwise 503 (program.md 2). A schema newer than this code counts as ready:
 * nodes of the older version keep serving while nodes of the newer one take over.
 */
export function registerHealth(app: App, deps: Pick<Deps, "db" | "log">, draining: Draining): void {
  const isReady = writableCheck(deps.db);
  app.register((scope, _options, done) => {
    scope.get(
      "/health",
      {
        config: { open: true, isProbe: true },
        schema: { summary: "Live", tags: ["Service"], response: { 200: statusSchema } },
      },
      () => ({ status: "ok" }),
    );
    scope.get(
      "/ready",
      {
        config: { open: true, isProbe: true },
        schema: { summary: "Ready", tags: ["Service"], response: { 200: statusSchema } },
      },
      async () => {
        if (draining.isOn()) throw new Problem("unavailable", { retryAfterS: READY_RETRY_S });
        await isReady().catch((error: unknown) => {
          deps.log.warn({ error }, "not ready");
          throw new Problem("unavailable", { retryAfterS: READY_RETRY_S });
        });
        return { status: "ok" };
      },
    );
    done();
  });
}
