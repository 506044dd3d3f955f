import type { ReadDeps } from "../../deps.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { selectMailLog } from "../../mail/mail-queries.ts";
import { PAGE_ROWS, pageOf, readAfter, uuidCursor } from "../list.ts";
import type { MailPage, MailQuery } from "./schema.ts";
import { mailView } from "./view.ts";

/** Returns a page of the log of mails, newest first. Throws `invalid` for an `after` of another list. */
export async function listMails(
  deps: Pick<ReadDeps, "db">,
  { about, state, to, after }: MailQuery,
  pageRows: number = PAGE_ROWS,
): Promise<MailPage> {
  const { position } = withoutFaults(readAfter(after, uuidCursor));
  const filter = { category: about, state, recipient: to?.trim() || undefined };
  const found = await selectMailLog(deps.db, { ...filter, before: position ?? undefined, limit: pageRows + 1 });
  const { rows, next } = pageOf(found, ({ uid }) => uid, pageRows);
  return { data: rows.map(mailView), next };
}
