import type { Deps } from "../../deps.ts";
import { acceptedLanguage } from "../../http/accepted-language.ts";
import type { App } from "../../http/app-type.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { prepareBulk } from "./prepare-bulk.ts";
import { bulkAnswer, bulkPointsBody, bulkTierBody } from "./schema.ts";

const run = { permission: "imports.run" } as const;

/** `POST /bulk/points` and `/bulk/tier`: points or a tier for a segment or chosen customers, as an import that is reviewed and started. */
export function bulkAdminRoutes(app: App, deps: Deps): void {
  app.post(
    "/bulk/points",
    { config: run, schema: { hide: true, body: bulkPointsBody, response: { 201: bulkAnswer } } },
    async ({ body, staff, headers }, reply) => {
      const { segment, customers, request_uid: requestUid, points, reason_type: reasonType, note, origin } = body;
      if (points === 0) throw refused("/points", "expected points, not 0");
      const options = { reasonType, note: note === "" ? null : note, ...(origin === undefined ? {} : { origin }) };
      const uid = await prepareBulk(deps, {
        kind: "points",
        columns: ["points"],
        cells: [String(points)],
        label: points > 0 ? `+${points}` : String(points),
        options,
        source: { segment, customers, requestUid },
        by: staff,
        language: staff.language ?? acceptedLanguage(headers["accept-language"]),
      });
      return reply.status(201).send({ data: { import: uid } });
    },
  );
  app.post(
    "/bulk/tier",
    { config: run, schema: { hide: true, body: bulkTierBody, response: { 201: bulkAnswer } } },
    async ({ body, staff, headers }, reply) => {
      const { segment, customers, request_uid: requestUid, tier, skip_next_check: skips = false } = body;
      const rule = (await readProgram(deps.db)).tiers.rules.find(({ uid }) => uid === tier);
      if (rule === undefined) throw refused("/tier", "expected the uid of a tier of the program");
      const uid = await prepareBulk(deps, {
        kind: "tiers",
        columns: ["tier", "skip_next_check"],
        cells: [tier, skips ? "true" : ""],
        label: rule.name,
        options: {},
        source: { segment, customers, requestUid },
        by: staff,
        language: staff.language ?? acceptedLanguage(headers["accept-language"]),
      });
      return reply.status(201).send({ data: { import: uid } });
    },
  );
}

function refused(pointer: string, detail: string): Problem {
  return new Problem("invalid", { faults: [{ pointer, detail }] });
}
