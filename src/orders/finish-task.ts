import type { Tx } from "../db/pool.ts";

const FINISH = `update staff_task
set done_at = $3,
  done_by = $4
where uid = $1
  and subject = $2
  and done_at is null
returning kind`;

/** Marks a task of a subject (`order/<id>`) as done. Returns its kind; undefined if it belongs to another subject or was already done. */
export async function finishTask(
  tx: Tx,
  task: { readonly uid: string; readonly subject: string },
  done: { readonly at: Temporal.Instant; readonly by: string },
): Promise<string | undefined> {
  const [row] = await tx.query<{ kind: string }>(FINISH, [task.uid, task.subject, done.at, done.by]);
  return row?.kind;
}
