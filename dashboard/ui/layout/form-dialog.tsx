import { Button, Modal } from "@mantine/core";
import { createContext, type ReactNode, useContext, useRef } from "react";
import { hasEnteredText } from "../forms/entered-text.ts";
import { useDiscardQuestion } from "./use-discard-question.tsx";

interface FormDialogProps {
  title: ReactNode;
  /** The name of the button that closes it. */
  close: string;
  onClose(): void;
  children: ReactNode;
}

const CloseContext = createContext<() => void>(() => undefined);

/** A dialog with a form: Esc, the buttons that close it and a click beside it ask first if text was typed that is not saved. */
export function FormDialog({ title, close, onClose, children }: FormDialogProps) {
  const dialog = useRef<HTMLDivElement>(null);
  const wouldLose = () => dialog.current !== null && hasEnteredText(dialog.current);
  const { isCovered, question, onClose: closeOrAsk } = useDiscardQuestion(wouldLose, onClose, { hasAddress: false });
  return (
    <Modal
      ref={dialog}
      opened
      onClose={closeOrAsk}
      closeOnEscape={!isCovered}
      title={title}
      closeButtonProps={{ "aria-label": close }}
    >
      <CloseContext value={closeOrAsk}>{children}</CloseContext>
      {question}
    </Modal>
  );
}

/** The button in a form that closes its dialog, and asks as the one in the corner does. */
export function DialogCancel({ children }: { children: ReactNode }) {
  return (
    <Button variant="default" onClick={useContext(CloseContext)}>
      {children}
    </Button>
  );
}
