import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { words } from "./words.ts";

/** Notices at the top of a customer's page: that they were deleted, that something waits for a second person. */
export function WaitingNotices({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  return (
    <>
      {customer.deleted_at === null ? null : <div className={classes["notice"]}>{t.deletedHint}</div>}
      {customer.waiting.map((request) => (
        <div key={request.uid} className={classes["notice"]}>
          <span>
            <Waiting request={request} />
          </span>
          <PageLink to="/approvals">{t.toApprovals}</PageLink>
        </div>
      ))}
    </>
  );
}

function Waiting({ request }: { request: CustomerHead["waiting"][number] }) {
  const t = useWords(words);
  const format = useFormat();
  const { removed_id: removed, kept_id: kept, balance, point_value: points, requested_name: name } = request;
  if (removed !== null) return t.waitingMerge(removed, name);
  if (kept !== null) return t.waitingMergeInto(kept, name);
  return balance === null ? t.waiting(format.points(points, true), name) : t.waitingSet(format.points(balance), name);
}
