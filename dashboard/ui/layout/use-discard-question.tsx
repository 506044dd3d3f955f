import { type ReactNode, useEffect, useRef } from "react";
import { useWords } from "../../words/use-words.ts";
import { type OpenForm, registerForm } from "../forms/ask-to-leave.ts";
import { isStep, useAsking } from "../forms/use-asking.ts";
import { words } from "../words.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface DiscardQuestion {
  readonly isAsking: boolean;
  /** Closes the panel or dialog, after the question if something would be lost. */
  onClose(): void;
  /** Belongs into the panel or dialog. */
  readonly question: ReactNode;
}

/** Asks before a panel or dialog is closed, or left by a step of the browser, if what was entered would be lost. */
export function useDiscardQuestion(wouldLose: () => boolean, close: () => void): DiscardQuestion {
  const t = useWords(words);
  const { isAsking, ask, discard, keep } = useAsking((move) => isStep(move) && wouldLose());
  useOpenForm({ hasEntered: wouldLose, ask });
  const question = (
    <ConfirmDialog
      opened={isAsking}
      title={t.discardTitle}
      confirm={t.discard}
      tone="bad"
      onConfirm={discard}
      onClose={keep}
    >
      <p>{t.discardText}</p>
    </ConfirmDialog>
  );
  return { isAsking, onClose: () => (wouldLose() ? ask(close) : close()), question };
}

/** Lets the search (Ctrl-K), and links that ask, find the form while it is open. */
function useOpenForm(form: OpenForm): void {
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    return registerForm({ hasEntered: () => latest.current.hasEntered(), ask: (next) => latest.current.ask(next) });
  }, []);
}
