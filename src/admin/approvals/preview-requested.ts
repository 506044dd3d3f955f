import { selectRequestedDocument } from "../../adjustments/change-queries.ts";
import { type ListedRequest, selectListedRequest } from "../../adjustments/request-queries.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import type { AppliedProgram } from "../../program/apply-program.ts";
import type { ProgramDocument } from "../../program/program-schema.ts";
import { listVersions } from "../program/list-versions.ts";
import { type ProgramEffect, previewProgram } from "../program/preview-program.ts";

/** A requested change of the program, and what it would do now. */
export interface RequestedChange {
  readonly request: ListedRequest;
  /** The program on which the request is based, as it is shown. */
  readonly before: ProgramDocument;
  readonly preview: AppliedProgram<ProgramEffect>;
}

/**
 * Returns the effect of a requested change of the program, for the person who decides it. Throws `not_found` if it is no such request, and
 * `program_changed` if the program has changed since, which includes requests that are already applied.
 */
export async function previewRequested(
  deps: Pick<Deps, "db" | "clock" | "random" | "config">,
  uid: string,
): Promise<RequestedChange> {
  const request = await selectListedRequest(deps.db, uid);
  if (request?.kind !== "program") throw new Problem("not_found");
  const { baseVersion, isNow, validFrom } = request;
  const [document, [base]] = await Promise.all([
    selectRequestedDocument(deps.db, uid),
    listVersions(deps.db, baseVersion, 1),
  ]);
  if (base?.version !== baseVersion) throw new Problem("not_found");
  const preview = await previewProgram(deps, { document, baseVersion, isNow, validFrom, by: null });
  return { request, before: base.document, preview };
}
