import type { Deps } from "../deps.ts";

const DELETE_PIECES = `delete from export_piece p
using export e
where p.export_uid = e.uid
  and (e.state = 'failed' or e.requested_at < $1)
  and e.state <> 'processing'`;

const DELETE_EXPORTS = `delete from export
where requested_at < $1
  and state <> 'processing'`;

/** Removes the files of failed exports, and exports with their files some days after their request (program.md 2). */
export async function pruneExports(deps: Pick<Deps, "db" | "clock" | "config">): Promise<number> {
  const before = deps.clock.now().subtract({ hours: 24 * deps.config.retention.exportDays });
  return deps.db.tx(async (tx) => {
    await tx.execute(DELETE_PIECES, [before]);
    return tx.execute(DELETE_EXPORTS, [before]);
  });
}
