import type { Deps } from "../deps.ts";
import { signExport } from "./export-signature.ts";

/** Returns the URL of an export's file, signed now and valid for one hour (interface.md 6.4, program.md 7). */
export function exportUrl(deps: Pick<Deps, "config" | "clock" | "secretBox">, uid: string): string {
  const { expires, signature } = signExport(deps.secretBox, uid, deps.clock.now());
  return `${deps.config.publicUrl}/exports/${uid}.csv?expires=${expires}&signature=${signature}`;
}
