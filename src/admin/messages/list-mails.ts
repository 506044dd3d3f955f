import type { ReadDeps } from "../../deps.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { selectMailLog } from "../../mail/mail-queries.ts";
import { PAGE_ROWS, pageOf, readAfter, uuidCursor } from "../list.ts";
import type { MailPage, MailQuery } from "./schema.ts";
import { mailFilterOf, mailView } from "./view.ts";

/** Returns a page of the log of mails, newest first. Throws `invalid` for an `after` of another list. */
export async function listMails(
  deps: Pick<ReadDeps, "db">,
  { after, ...filters }: MailQuery,
  pageRows: number = PAGE_ROWS,
): Promise<MailPage> {
  const { position } = withoutFaults(readAfter(after, uuidCursor));
  const page = { before: position ?? undefined, limit: pageRows + 1 };
  const found = await selectMailLog(deps.db, { ...mailFilterOf(filters), ...page });
  const { rows, next } = pageOf(found, ({ uid }) => uid, pageRows);
  return { data: rows.map(mailView), next };
}
