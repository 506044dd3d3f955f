import { timingSafeEqual } from "node:crypto";
import { runAs } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { addressKey } from "../http/address-key.ts";
import { invalid, Problem } from "../problems.ts";
import type { Language } from "../wire/language.ts";
import { insertStaff } from "./insert-staff.ts";
import { hashPassword } from "./passwords/hash-password.ts";
import { hasStaff, LOCK_OWNERS } from "./queries.ts";
import { hashSetupCode } from "./setup-code.ts";
import { countAttempt, deleteFailures } from "./sign-in/attempt-queries.ts";
import { checkOwnSignIn } from "./sign-in/check-own-sign-in.ts";
import { ADDRESS_RULE } from "./sign-in/lockout.ts";
import { normalName } from "./staff.ts";

/** The input of the setup page. */
export interface OwnerInput {
  /** The setup code of `ensureSetupCode`. */
  readonly code: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** The language of the page, used for mails to people. */
  readonly language: Language | null;
  readonly address: string;
}

/**
 * Creates the store's first person, an owner; returns the uid. 409 where there is a person already, also with concurrent requests; otherwise
 * 422 or 429 of `checkSetupCode`, before any other field is checked.
 */
export async function setUpOwner(
  deps: Pick<Deps, "db" | "clock" | "random" | "config">,
  { code, email, name, password, language, address }: OwnerInput,
): Promise<string> {
  await checkOwnSignIn(deps);
  if (await hasStaff(deps.db)) throw new Problem("already_set_up");
  await checkSetupCode(deps, { code, address });
  const hash = await hashPassword(deps, password);
  const uid = deps.random.uid();
  return runAs({ kind: "staff", id: uid, name: normalName(name) ?? name, address }, () =>
    deps.db.tx(async (tx) => {
      await tx.query(LOCK_OWNERS);
      if (await hasStaff(tx)) throw new Problem("already_set_up");
      return insertStaff(tx, deps, {
        uid,
        email,
        name,
        role: "owner",
        language,
        password: { text: password, hash, isMade: false },
      });
    }),
  );
}

/**
 * Checks the setup code. 422 naming `code` for a wrong one, 429 after too many from one address. The correct code, which has 79 bits, is
 * accepted even then; otherwise somebody at the owner's address could lock the owner out.
 */
async function checkSetupCode(
  deps: Pick<Deps, "db" | "clock">,
  { code, address }: { readonly code: string; readonly address: string },
): Promise<void> {
  const key = `setup/${addressKey(address)}`;
  const [row] = await deps.db.query<{ hash: Buffer }>("select code_sha256 as hash from setup_code");
  const given = hashSetupCode(code);
  if (timingSafeEqual(given, row?.hash ?? Buffer.alloc(given.length))) return await deleteFailures(deps.db, key);
  await countAttempt(deps, [{ key, rule: ADDRESS_RULE }]);
  throw invalid("/code", "is not the setup code that the service printed");
}
