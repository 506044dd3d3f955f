import { Type } from "typebox";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import type { App } from "./app-type.ts";

const READY_RETRY_S = 2;
const statusSchema = Type.Object({ status: Type.String() }, { title: "Status", examples: [{ status: "ok" }] });

/** `/health`: the process lives, whatever the database does. `/ready`: the database answers and is migrated; 503 else (program.md 2). */
export function registerHealth(app: App, deps: Pick<Deps, "db" | "log">): void {
  const asked = shared(() => deps.db.query("select number from migration limit 1"));
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
        await asked().catch((error: unknown) => {
          deps.log.warn({ error }, "not ready");
          throw new Problem("unavailable", { retryAfterS: READY_RETRY_S });
        });
        return { status: "ok" };
      },
    );
    done();
  });
}

/** Calls that come while one is under way share its outcome: however many ask, the database is asked by one connection. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}
