import { Button } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { useLiabilityChange } from "./use-liability.ts";
import { words } from "./words.ts";

/** Closes a month after a confirmation: nothing in it changes from then on. */
export function CloseButton({ month }: { month: string }) {
  const t = useWords(words);
  const [isAsking, setAsking] = useState(false);
  const close = useLiabilityChange<{ month: string }>("POST", "/liability/close", () => {
    setAsking(false);
    notifyDone(t.monthClosed);
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t.close}</Button>
      <ConfirmDialog
        opened={isAsking}
        title={t.closeTitle(useFormat().month(month))}
        confirm={t.close}
        isBusy={close.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => close.mutate({ month }, { onError: notifyFailed })}
      >
        {t.closeAbout}
      </ConfirmDialog>
    </>
  );
}
