import type { Config } from "../config.ts";
import type { Staff } from "./staff.ts";

/** Whether somebody has to turn a second factor on before anything else: POINTKEEPER_REQUIRE_TOTP names their role. */
export function lacksTotp({ totpRoles }: Pick<Config, "totpRoles">, { role, hasTotp }: Staff): boolean {
  return !hasTotp && totpRoles.includes(role);
}
