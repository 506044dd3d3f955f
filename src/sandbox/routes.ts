import { Type } from "typebox";
import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { invalid, Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { formatInstant, parseInstant } from "../time/store-time.ts";
import { advanceSandboxClock } from "./advance-sandbox-clock.ts";
import type { DueWork } from "./due-work.ts";
import type { SandboxClock } from "./open-sandbox-clock.ts";

export interface SandboxOptions {
  readonly clock: SandboxClock;
  readonly dueWork: readonly DueWork[];
}

const clockSchema = Type.Object(
  { now: Type.String({ description: "The service's time, ISO 8601." }) },
  { title: "Sandbox clock", examples: [{ now: "2027-03-01T00:00:00.000000Z" }] },
);

/** `GET` and `PUT /sandbox/clock` (program.md 8); 404 where the sandbox is off. */
export function sandboxRoutes(app: App, deps: Pick<Deps, "db" | "log">, sandbox: SandboxOptions | undefined): void {
  let turn: Promise<unknown> = Promise.resolve();

  app.get(
    "/sandbox/clock",
    {
      config: { scope: "admin" },
      schema: { summary: "Read the test clock", tags: ["Service"], response: { 200: clockSchema } },
    },
    () => ({ now: formatInstant(opened(sandbox).clock.now()) }),
  );

  app.put(
    "/sandbox/clock",
    {
      config: { scope: "admin" },
      schema: {
        summary: "Move the test clock forward",
        description:
          "Answers when all work that became due until then is done. In a store without any writes the first call may set any time from 1970 on.",
        tags: ["Service"],
        body: clockSchema,
        response: { 200: clockSchema },
      },
    },
    async (request) => {
      const { clock, dueWork } = opened(sandbox);
      const { timeZone } = (await readProgram(deps.db)).store;
      const to = parseInstant(request.body.now, { timeZone, edge: "start" });
      if (to === null) throw invalid("/now", "expected an ISO 8601 date-time");
      const move = turn.then(() => advanceSandboxClock({ clock, dueWork, log: deps.log }, to));
      turn = move.catch(() => {});
      await move;
      return { now: formatInstant(clock.now()) };
    },
  );
}

function opened(sandbox: SandboxOptions | undefined): SandboxOptions {
  if (sandbox === undefined) throw new Problem("not_found");
  return sandbox;
}
