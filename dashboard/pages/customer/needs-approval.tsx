import type { AdjustmentPreview } from "../../../src/admin/customers/schema.ts";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { ledgerWords } from "./ledger-words.ts";

/** Says that another person has to approve an adjustment, and what counted with it. */
export function NeedsApproval({ preview }: { preview: AdjustmentPreview }) {
  const t = useWords(ledgerWords);
  const format = useFormat();
  const { needs_approval: isNeeded, earlier_points: earlier } = preview;
  if (!isNeeded) return null;
  return (
    <p className={classes["warn"]}>{earlier === 0 ? t.needsApproval : t.needsApprovalWith(format.points(earlier))}</p>
  );
}
