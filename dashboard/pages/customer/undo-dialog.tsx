import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type {
  AdjustedPoints,
  CustomerHead,
  ShownAdjustmentPreview,
  TimelineEntry,
} from "../../../src/admin/customers/schema.ts";
import { apiGet } from "../../api/client.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { hideUndo, notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { ledgerWords } from "./ledger-words.ts";
import { NeedsApproval } from "./needs-approval.tsx";
import { notPosted } from "./not-posted.ts";
import { refusalText } from "./refusal-text.ts";
import { customerKey, customerPath, undoOf, useCustomerChange } from "./use-customer.ts";

interface UndoDialogProps {
  customer: CustomerHead;
  row: TimelineEntry;
  onClose(): void;
}

/** Asks for a confirmation before an adjustment is undone, and shows the effect. */
export function UndoDialog({ customer, row, onClose }: UndoDialogProps) {
  const t = useWords(ledgerWords);
  const format = useFormat();
  const [request] = useState(() => undoOf(row.uid));
  const preview = useQuery({
    queryKey: [...customerKey(customer.id), "preview", "undo", row.uid],
    queryFn: async ({ signal }) => {
      const path = `${customerPath(customer.id)}/adjustment-preview`;
      return (await apiGet<{ data: ShownAdjustmentPreview }>(path, { undo: row.uid }, signal)).data;
    },
    staleTime: 0,
  });
  const change = useCustomerChange<AdjustedPoints>(customer.id, ({ state, point_value, balance }) => {
    onClose();
    hideUndo(row.uid);
    notifyDone(notPosted(state, t) ?? t.undoDone(format.points(point_value, true), format.points(balance)));
  });
  return (
    <ConfirmDialog
      opened
      title={t.undoTitle}
      confirm={preview.data?.needs_approval === true ? t.doRequest : t.undo}
      onConfirm={() => change.mutate(request, { onError: notifyFailed })}
      onClose={onClose}
      isBusy={change.isPending}
    >
      {preview.data === undefined ? <Skeleton height={40} /> : <Effect preview={preview.data} />}
    </ConfirmDialog>
  );
}

function Effect({ preview }: { preview: ShownAdjustmentPreview }) {
  const t = useWords(ledgerWords);
  const format = useFormat();
  const refusal = refusalText(preview.refusal, t);
  if (refusal !== null) return <p className={classes["bad"]}>{refusal}</p>;
  return (
    <>
      <p>{t.undoText(format.points(preview.point_value, true), format.points(preview.balance_after))}</p>
      {preview.missing === 0 ? null : (
        <p className={classes["warn"]}>{t.undoMissing(format.points(preview.missing))}</p>
      )}
      {preview.expired === 0 ? null : (
        <p className={classes["warn"]}>{t.undoExpired(format.points(preview.expired))}</p>
      )}
      <NeedsApproval preview={preview} />
    </>
  );
}
