import type { Deps } from "../deps.ts";
import { SEALED } from "./sealed-answer.ts";

/** Counts the stored answers, of 24 hours, that name a secret. */
export async function countSealedAnswers(deps: Pick<Deps, "db">): Promise<number> {
  const [row] = await deps.db.query<{ count: number }>(
    `select count(*)::integer as count from idempotency where starts_with(body, '${SEALED}')`,
  );
  return row?.count ?? 0;
}

/** Forgets them, where their secret key is lost: a request with such an Idempotency-Key that is sent again is done again. */
export async function forgetSealedAnswers(deps: Pick<Deps, "db">): Promise<number> {
  return deps.db.execute(`delete from idempotency where starts_with(body, '${SEALED}')`);
}
