import { Type } from "typebox";
import { assertWritable } from "../db/read-only.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import type { App } from "./app-type.ts";
import type { Draining } from "./draining.ts";

const READY_RETRY_S = 2;
const statusSchema = Type.Object({ status: Type.String() }, { title: "Status", examples: [{ status: "ok" }] });

/**
 * `/health`: the process lives, whatever the database does. `/ready`: the database answers, is migrated and takes writes, and the service
 * is not about to stop; 503 else (program.md 2). A schema newer than this code is ready: nodes of the older version serve on while
 * those of the newer one take over.
 */
export function registerHealth(app: App, deps: Pick<Deps, "db" | "log">, draining: Draining): void {
  app.register((scope, _options, done) => {
    scope.get(
      "/health",
      { config: { open: true }, schema: { summary: "Live", tags: ["Service"], response: { 200: statusSchema } } },
      () => ({ status: "ok" }),
    );
    scope.get(
      "/ready",
      { config: { open: true }, schema: { summary: "Ready", tags: ["Service"], response: { 200: statusSchema } } },
      async () => {
        if (draining.isOn()) throw new Problem("unavailable", { retryAfterS: READY_RETRY_S });
        await assertWritable(deps.db).catch((error: unknown) => {
          deps.log.warn({ error }, "not ready");
          throw new Problem("unavailable", { retryAfterS: READY_RETRY_S });
        });
        return { status: "ok" };
      },
    );
    done();
  });
}
