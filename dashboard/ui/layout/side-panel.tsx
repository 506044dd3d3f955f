import { Drawer } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useWords } from "../../words/use-words.ts";
import { type OpenForm, registerForm } from "../forms/ask-to-leave.ts";
import { hasEnteredText } from "../forms/entered-text.ts";
import { isStep, useAsking } from "../forms/use-asking.ts";
import { useNavigateTo } from "../urls/use-navigate-to.ts";
import { words } from "../words.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import classes from "./side-panel.module.css";

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
  children: ReactNode;
}

/** Details of one thing at the side of the page, with their own address. */
export function SidePanel({ title, closeTo, isForm = false, isChanged, children }: SidePanelProps) {
  const t = useWords(words);
  const go = useNavigateTo();
  const panel = useRef<HTMLDivElement>(null);
  const hasEntered = () => panel.current !== null && hasEnteredText(panel.current);
  const wouldLose = () => isForm && (isChanged ?? hasEntered());
  const { isAsking, ask, discard, keep } = useAsking((move) => isStep(move) && wouldLose());
  useOpenForm({ hasEntered: wouldLose, ask });
  const close = () => go(closeTo, { keepScroll: true });
  const onClose = () => (wouldLose() ? ask(close) : close());
  return (
    <Drawer
      ref={panel}
      opened
      onClose={onClose}
      closeOnEscape={!isAsking}
      position="right"
      size={560}
      title={title}
      overlayProps={{ backgroundOpacity: 0.15 }}
      closeButtonProps={{ "aria-label": t.close }}
      classNames={CLASS_NAMES}
    >
      {children}
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
    </Drawer>
  );
}

/** Lets the search (Ctrl-K), and links that ask, find the panel's form while it is open. */
function useOpenForm(form: OpenForm): void {
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    return registerForm({ hasEntered: () => latest.current.hasEntered(), ask: (next) => latest.current.ask(next) });
  }, []);
}
