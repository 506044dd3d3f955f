import { runAs } from "../../actor.ts";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { findSession } from "./find-session.ts";
import { hashToken } from "./session.ts";

/** Ends the session of a token on behalf of its person; does nothing where there is none. */
export async function endSession(
  deps: Pick<Deps, "db" | "clock" | "config">,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<void> {
  const staff = await findSession(deps, token);
  const remove = "delete from staff_session where token_sha256 = $1";
  if (staff === null) {
    await deps.db.execute(remove, [hashToken(token)]);
    return;
  }
  const { uid, name } = staff;
  await runAs({ kind: "staff", id: uid, name, address }, () =>
    deps.db.tx(async (tx) => {
      const ended = await tx.execute(remove, [hashToken(token)]);
      const subject = { kind: "staff", id: uid };
      if (ended > 0) await recordAction(tx, deps, { action: "staff.signed_out", subject });
    }),
  );
}
