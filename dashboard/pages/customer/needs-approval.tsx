import type { ShownAdjustmentPreview } from "../../../src/admin/customers/schema.ts";
import { NoOtherApprover } from "../../ui/approvals/no-other-approver.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { ledgerWords } from "./ledger-words.ts";

/** Shows that another person has to approve an adjustment, and the earlier points that count with it. */
export function NeedsApproval({ preview }: { preview: ShownAdjustmentPreview }) {
  const t = useWords(ledgerWords);
  const format = useFormat();
  const { needs_approval: isNeeded, excess, earlier_points: earlier, earlier_of_day: ofDay } = preview;
  if (!isNeeded) return null;
  const ofCustomer = earlier === 0 ? t.needsApproval : t.needsApprovalWith(format.points(earlier));
  return (
    <>
      <p className={classes["warn"]}>{excess === "day" ? t.needsApprovalOfDay(format.points(ofDay)) : ofCustomer}</p>
      <NoOtherApprover />
    </>
  );
}
