import { createHash } from "node:crypto";
import { madePassword } from "./staff.ts";

/** The file in the data folder that contains the code until the first owner is created. */
export const SETUP_CODE_FILE = "setup-code";

/** A code of 79 bits from 16 random bytes, in groups of four to type. */
export function setupCode(bytes: Uint8Array): string {
  return madePassword(bytes);
}

/** The digest of a code that is stored and compared; it ignores spaces, dashes and upper case. */
export function hashSetupCode(typed: string): Buffer {
  const code = typed
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, "");
  return createHash("sha256").update(code).digest();
}
