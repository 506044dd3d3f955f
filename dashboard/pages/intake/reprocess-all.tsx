import { Button } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { reprocessFailed, useChange, useSummary } from "./use-intake.ts";
import { words } from "./words.ts";

/** Processes all failed receipts again, after showing their number; hidden if there are none. */
export function ReprocessAll() {
  const t = useWords(words);
  const format = useFormat();
  const mayReprocess = useSession().can("intake.reprocess");
  const { data } = useSummary();
  const [isAsking, setIsAsking] = useState(false);
  const change = useChange(reprocessFailed, (count) => {
    setIsAsking(false);
    notifyDone(t.reprocessedAll(format.number(count)));
  });
  if (!mayReprocess || data === undefined || data.failed === 0) return null;
  const more = data.failed >= data.counted_to ? "+" : "";
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t.reprocessAll}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t.reprocessAll}
        confirm={t.reprocess}
        onConfirm={() => change.mutate()}
        onClose={() => setIsAsking(false)}
        isBusy={change.isPending}
      >
        {t.reprocessAsk(`${format.number(data.failed)}${more}`)}
      </ConfirmDialog>
    </>
  );
}
