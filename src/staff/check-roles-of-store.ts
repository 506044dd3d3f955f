import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";

/** Refuses to end a link with the identity provider where the roles come from there: 403. */
export function checkRolesOfStore({ config }: Pick<Deps, "config">): void {
  if (config.oidc === null || config.oidc.roles === null) return;
  throw new Problem("forbidden", { faults: [{ detail: "the role comes from the identity provider" }] });
}
