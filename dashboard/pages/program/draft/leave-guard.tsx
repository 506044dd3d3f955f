import { useEffect } from "react";
import { useAsking } from "../../../ui/forms/use-asking.ts";
import { ConfirmDialog } from "../../../ui/layout/confirm-dialog.tsx";
import { useWords } from "../../../words/use-words.ts";
import { words } from "../words.ts";

/** Asks before a draft is lost that the browser does not keep: on the way to another page, and when the window is closed. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const t = useWords(words);
  const { isAsking, discard, keep } = useAsking(
    ({ nextLocation: { pathname } }) => isChanged && !/\/program(\/|$)/.test(pathname),
  );
  useEffect(() => {
    if (!isChanged) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", onUnload);
    return () => removeEventListener("beforeunload", onUnload);
  }, [isChanged]);
  return (
    <ConfirmDialog
      opened={isAsking}
      title={t.leaveTitle}
      confirm={t.leave}
      tone="bad"
      onConfirm={discard}
      onClose={keep}
    >
      {t.leaveText}
    </ConfirmDialog>
  );
}
