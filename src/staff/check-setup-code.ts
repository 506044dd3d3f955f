import { timingSafeEqual } from "node:crypto";
import type { Deps } from "../deps.ts";
import { addressKey } from "../http/address-key.ts";
import { invalid } from "../problems.ts";
import { countAttempt } from "./count-attempt.ts";
import { forgetFailures } from "./forget-failures.ts";
import { ADDRESS_RULE } from "./lockout.ts";
import { hashSetupCode } from "./setup-code.ts";

/**
 * Asks for the code of the first run. 422 naming `code` for a wrong one, 429 after too many from one address. The right one, of 79
 * bits, is always accepted: otherwise anybody with the owner's address could lock the owner out.
 */
export async function checkSetupCode(
  deps: Pick<Deps, "db" | "clock">,
  { code, address }: { readonly code: string; readonly address: string },
): Promise<void> {
  const key = `setup/${addressKey(address)}`;
  const [row] = await deps.db.query<{ hash: Buffer }>("select code_sha256 as hash from setup_code");
  const given = hashSetupCode(code);
  if (timingSafeEqual(given, row?.hash ?? Buffer.alloc(given.length))) return await forgetFailures(deps.db, key);
  await countAttempt(deps, [{ key, rule: ADDRESS_RULE }]);
  throw invalid("/code", "is not the setup code");
}
