import { Modal } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { hasEnteredText, hasSentForm } from "../forms/entered-text.ts";
import { CloseContext } from "./cancel-button.tsx";
import { useDiscardQuestion } from "./use-discard-question.tsx";

interface FormDialogProps {
  title: ReactNode;
  /** The name of the button that closes it. */
  close: string;
  onClose(): void;
  children: ReactNode;
}

/** A dialog with a form: Esc, the buttons that close it and a click beside it ask first if text was typed that is not saved. */
export function FormDialog({ title, close, onClose, children }: FormDialogProps) {
  const dialog = useRef<HTMLDivElement>(null);
  const wouldLose = () => dialog.current !== null && hasEnteredText(dialog.current);
  const isSent = () => dialog.current !== null && hasSentForm(dialog.current);
  const asking = useDiscardQuestion({ wouldLose, isSent, close: onClose, hasAddress: false });
  const { isCovered, question, onClose: closeOrAsk } = asking;
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
