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

/**
 * Asks before a panel or dialog is closed, or left by a step of the browser, if what was entered would be lost. `hasAddress`: the address says that it is
 * open, so a step closes it; otherwise it has to be closed beside the step.
 */
export function useDiscardQuestion(
  wouldLose: () => boolean,
  close: () => void,
  { hasAddress = true }: { readonly hasAddress?: boolean } = {},
): DiscardQuestion {
  const t = useWords(words);
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
      title={t.discardTitle}
      confirm={t.discard}
      tone="bad"
      onConfirm={leave}
      onClose={keep}
    >
      <p>{t.discardText}</p>
    </ConfirmDialog>
  );
  const closeLater = hasAddress ? close : () => undefined;
  return {
    isCovered: isAsking || isConfirming,
    onClose: () => (wouldLose() ? ask(closeLater) : close()),
    question,
  };
}

/** Lets the search (Ctrl-K), and links that ask, find the form while it is open. */
function useOpenForm(form: OpenForm): void {
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    return registerForm({ hasEntered: () => latest.current.hasEntered(), ask: (next) => latest.current.ask(next) });
  }, []);
}
