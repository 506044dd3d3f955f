import { useWords } from "../../words/use-words.ts";
import classes from "./approvals-mark.module.css";
import { words } from "./approvals-words.ts";
import { useApprovals } from "./use-approvals.ts";

/** Says if nobody else could approve a request, and who could. */
export function NoOtherApprover() {
  const t = useWords(words);
  const approvals = useApprovals();
  if (approvals === undefined || approvals.other_approvers > 0) return null;
  return (
    <p className={classes["nobody"]} role="note">
      {t.nobodyElse}
    </p>
  );
}
