import { useBlocker } from "@tanstack/react-router";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

/** Asks before a draft is lost that the browser does not keep: on the way to another page, and when the window is closed. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const t = useWords(words);
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => isChanged && !/\/program(\/|$)/.test(next.pathname),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <ConfirmDialog
      opened
      title={t.leaveTitle}
      confirm={t.leave}
      tone="bad"
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    >
      {t.leaveText}
    </ConfirmDialog>
  );
}
