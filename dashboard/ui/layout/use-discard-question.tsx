import { useIsMutating } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useIsConfirming } from "../../api/use-is-confirming.ts";
import { useWords } from "../../words/use-words.ts";
import { type OpenForm, registerForm } from "../forms/ask-to-leave.ts";
import { isStep, useAsking } from "../forms/use-asking.ts";
import { words } from "../words.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface DiscardQuestion {
  /** Whether another dialog is over the panel or dialog, to which Esc belongs. */
  readonly isCovered: boolean;
  /** Closes the panel or dialog, after the question if something would be lost. */
  onClose(): void;
  /** Belongs into the panel or dialog. */
  readonly question: ReactNode;
}

interface DiscardOptions {
  wouldLose(): boolean;
  /** Whether what was entered is being sent: it may be done though the form is closed. */
  isSent(): boolean;
  close(): void;
  /** The address says that it is open, so a step closes it; otherwise it has to be closed beside the step. */
  readonly hasAddress: boolean;
}

/** Asks before a panel or dialog is closed, or left by a step of the browser, if what was entered would be lost or is being sent. */
export function useDiscardQuestion({ wouldLose, isSent, close, hasAddress }: DiscardOptions): DiscardQuestion {
  const said = useSaid(isSent);
  const { isAsking, ask, discard, keep } = useAsking((move) => isStep(move) && wouldLose());
  const isConfirming = useIsConfirming();
  useOpenForm({ hasEntered: wouldLose, ask });
  const leave = () => {
    discard();
    if (!hasAddress) close();
  };
  const question = (
    <ConfirmDialog
      opened={isAsking}
      title={said.title}
      confirm={said.confirm}
      tone="bad"
      onConfirm={leave}
      onClose={keep}
    >
      <p>{said.text}</p>
    </ConfirmDialog>
  );
  const closeLater = hasAddress ? close : () => undefined;
  return {
    isCovered: isAsking || isConfirming,
    onClose: () => (wouldLose() ? ask(closeLater) : close()),
    question,
  };
}

/** Returns what the question says, which changes where the request is refused meanwhile. */
function useSaid(isSent: () => boolean) {
  const t = useWords(words);
  return useIsMutating() > 0 && isSent()
    ? { title: t.sentTitle, text: t.sentText, confirm: t.sentClose }
    : { title: t.discardTitle, text: t.discardText, confirm: t.discard };
}

/** Lets the search (Ctrl-K), and links that ask, find the form while it is open. */
function useOpenForm(form: OpenForm): void {
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    return registerForm({ hasEntered: () => latest.current.hasEntered(), ask: (next) => latest.current.ask(next) });
  }, []);
}
