import type { Deps } from "../../deps.ts";
import { SEALED } from "./sealed-answer.ts";

/** Returns the number of stored answers (they last 24 hours) that contain a secret. */
export async function countSealedAnswers(deps: Pick<Deps, "db">): Promise<number> {
  const [row] = await deps.db.query<{ count: number }>(
    `select count(*)::integer as count from idempotency where starts_with(body, '${SEALED}')`,
  );
  return row?.count ?? 0;
}

/** Deletes them because their secret key is lost. If a request with such an Idempotency-Key is repeated, it is executed again. */
export async function deleteSealedAnswers(deps: Pick<Deps, "db">): Promise<number> {
  return deps.db.execute(`delete from idempotency where starts_with(body, '${SEALED}')`);
}
