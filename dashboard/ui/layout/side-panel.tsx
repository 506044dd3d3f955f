import { Drawer } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { useWords } from "../../words/use-words.ts";
import { hasEnteredText, hasSentForm } from "../forms/entered-text.ts";
import { useNavigateTo } from "../urls/use-navigate-to.ts";
import { words } from "../words.ts";
import { CloseContext } from "./cancel-button.tsx";
import classes from "./side-panel.module.css";
import { useDiscardQuestion } from "./use-discard-question.tsx";

const CLASS_NAMES = {
  title: classes["title"] ?? "",
  body: classes["body"] ?? "",
  overlay: classes["overlay"] ?? "",
  inner: classes["inner"] ?? "",
  content: classes["panel"] ?? "",
  close: classes["close"] ?? "",
};

interface SidePanelProps {
  title: ReactNode;
  /** The path of the page below, to which Esc, the close button and a click beside the panel lead. */
  closeTo: string;
  /** Whether it has a form that is not sent yet: closing it asks first if text was entered. */
  isForm?: boolean;
  /** Whether something would be lost; by default, whether text was typed into a form of the panel. */
  isChanged?: boolean;
  /** Whether it has a table of many columns. */
  isWide?: boolean;
  children: ReactNode;
}

/** Details of one thing at the side of the page, with their own address. */
export function SidePanel({ title, closeTo, isForm = false, isChanged, isWide = false, children }: SidePanelProps) {
  const t = useWords(words);
  const go = useNavigateTo();
  const panel = useRef<HTMLDivElement>(null);
  const hasEntered = () => panel.current !== null && hasEnteredText(panel.current);
  const wouldLose = () => isForm && (isChanged ?? hasEntered());
  const isSent = () => panel.current !== null && hasSentForm(panel.current);
  const close = () => go(closeTo, { keepScroll: true });
  const { isCovered, onClose, question } = useDiscardQuestion({ wouldLose, isSent, close, hasAddress: true });
  return (
    <Drawer
      ref={panel}
      opened
      onClose={onClose}
      closeOnEscape={!isCovered}
      position="right"
      size={isWide ? 720 : 560}
      title={title}
      overlayProps={{ backgroundOpacity: 0.15 }}
      closeButtonProps={{ "aria-label": t.close }}
      classNames={CLASS_NAMES}
    >
      <CloseContext value={onClose}>{children}</CloseContext>
      {question}
    </Drawer>
  );
}
