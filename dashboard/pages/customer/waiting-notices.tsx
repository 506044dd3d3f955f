import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import { PageLink } from "../../ui/page-link.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { words } from "./words.ts";

/** What stands above a customer's page: that they were deleted, that something waits for a second person. */
export function WaitingNotices({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  const format = useFormat();
  return (
    <>
      {customer.deleted_at === null ? null : <div className={classes["notice"]}>{t.deletedHint}</div>}
      {customer.waiting.map((request) => (
        <div key={request.uid} className={classes["notice"]}>
          <span>
            {request.balance === null
              ? t.waiting(format.points(request.point_value, true), request.requested_name)
              : t.waitingSet(format.points(request.balance), request.requested_name)}
          </span>
          <PageLink to="/approvals">{t.toApprovals}</PageLink>
        </div>
      ))}
    </>
  );
}
