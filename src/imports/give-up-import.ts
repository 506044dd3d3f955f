import { recordAction } from "../audit/record-action.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockImportIn } from "./lock-import-in.ts";

const GIVE_UP = `update import
set state = 'given_up',
  lease_uid = null,
  lease_until = null
where uid = $1`;

/**
 * Cancels an import that was not started, so that its file may be uploaded again. Throws `import_not_found`, `import_state` and `import_waits` (409).
 */
export async function giveUpImport(tx: Tx, deps: Pick<Deps, "clock">, uid: string): Promise<void> {
  await lockImportIn(tx, uid, { states: ["uploaded", "checking", "checked"], now: deps.clock.now() });
  await tx.execute(GIVE_UP, [uid]);
  await recordAction(tx, deps, { action: "import.given_up", subject: { kind: "import", id: uid } });
}
