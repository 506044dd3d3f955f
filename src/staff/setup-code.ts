import { createHash } from "node:crypto";
import { madePassword } from "./staff.ts";

/** The file of the data folder that holds the code until the first owner is made. */
export const SETUP_CODE_FILE = "setup-code";

/** A code of 79 bits from 16 random bytes, in groups of four to type. */
export function setupCode(bytes: Uint8Array): string {
  return madePassword(bytes);
}

/** What is kept of a code and compared: of what was typed, without spaces and dashes and in small letters. */
export function hashSetupCode(typed: string): Buffer {
  const code = typed
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, "");
  return createHash("sha256").update(code).digest();
}
