import { Modal } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { hasEnteredText } from "../forms/entered-text.ts";
import { useDiscardQuestion } from "./use-discard-question.tsx";

interface FormDialogProps {
  title: ReactNode;
  /** The name of the button that closes it. */
  close: string;
  onClose(): void;
  children: ReactNode;
}

/** A dialog with a form: Esc, the button that closes it and a click beside it ask first if text was typed that is not saved. */
export function FormDialog({ title, close, onClose, children }: FormDialogProps) {
  const dialog = useRef<HTMLDivElement>(null);
  const wouldLose = () => dialog.current !== null && hasEnteredText(dialog.current);
  const { isAsking, question, onClose: closeOrAsk } = useDiscardQuestion(wouldLose, onClose);
  return (
    <Modal
      ref={dialog}
      opened
      onClose={closeOrAsk}
      closeOnEscape={!isAsking}
      title={title}
      closeButtonProps={{ "aria-label": close }}
    >
      {children}
      {question}
    </Modal>
  );
}
