import type { Deps } from "../../deps.ts";
import { SEALED } from "./sealed-answer.ts";

/** Rows per statement. */
const PIECE_ROWS = 500;

interface SealedRow {
  readonly credential: string;
  readonly scope: string;
  readonly key: string;
  readonly body: string;
}

const SEALED_ANSWERS = `
select credential_uid as credential, scope, key, body
from idempotency
where starts_with(body, '${SEALED}')`;

const WRITE = `
update idempotency i
set body = t.resealed
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) as t (credential, scope, key, body, resealed)
where i.credential_uid = t.credential and i.scope = t.scope and i.key = t.key and i.body = t.body`;

/** Encrypts the stored answers (they last 24 hours) that contain a secret with the current secret key. Returns how many had another key. */
export async function resealAnswers(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  let count = 0;
  for await (const rows of deps.db.stream<SealedRow>(SEALED_ANSWERS, [], { pieceRows: PIECE_ROWS })) {
    const changed = rows.flatMap((row) => {
      const resealed = deps.secretBox.resealed(Buffer.from(row.body.slice(SEALED.length), "base64"));
      return resealed === null ? [] : [{ ...row, resealed: `${SEALED}${resealed.toString("base64")}` }];
    });
    if (changed.length === 0) continue;
    count += await deps.db.execute(WRITE, [
      changed.map(({ credential }) => credential),
      changed.map(({ scope }) => scope),
      changed.map(({ key }) => key),
      changed.map(({ body }) => body),
      changed.map(({ resealed }) => resealed),
    ]);
  }
  return count;
}
