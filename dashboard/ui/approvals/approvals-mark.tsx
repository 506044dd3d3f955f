import { useWords } from "../../words/use-words.ts";
import { ApprovalsIcon } from "../layout/icons.tsx";
import classes from "./approvals-mark.module.css";
import { words } from "./approvals-words.ts";
import { useApprovals } from "./use-approvals.ts";

/** The icon of the approvals, with the number of waiting requests. */
export function ApprovalsMark() {
  const t = useWords(words);
  const waiting = useApprovals()?.waiting ?? 0;
  return (
    <span className={classes["mark"]}>
      <ApprovalsIcon />
      {waiting === 0 ? null : (
        <span className={classes["count"]} title={t.waiting(waiting)}>
          {waiting}
        </span>
      )}
    </span>
  );
}
