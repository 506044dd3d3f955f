import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";

const WRITE = `insert into sign_in_setting (oidc_off_at)
values ($1)
on conflict (only_one) do update
set oidc_off_at = excluded.oidc_off_at`;

/**
 * Switches sign-in through the identity provider off, whatever the settings are, or on again; for an operator whose settings lock everybody
 * out. It applies to the next request of every node. While it is off, passwords and passkeys are accepted again, and sessions from the
 * provider end.
 */
export async function switchOidc(
  deps: Pick<Deps, "db" | "clock">,
  { isOn }: { readonly isOn: boolean },
): Promise<void> {
  await deps.db.tx(async (tx) => {
    await tx.execute(WRITE, [isOn ? null : deps.clock.now()]);
    if (!isOn) await tx.execute("delete from staff_session where method = 'oidc'");
    const action = isOn ? "oidc.switched_on" : "oidc.switched_off";
    await recordAction(tx, deps, { action, subject: { kind: "oidc", id: "store" } });
  });
}
