import { Drawer } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useWords } from "../words/use-words.ts";
import { registerForm } from "./ask-to-leave.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import classes from "./side-panel.module.css";
import { useEntered } from "./use-entered.ts";
import { useNavigateTo } from "./use-navigate-to.ts";
import { words } from "./words.ts";

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
  /** Whether something would be lost; by default, whether text was entered since the panel opened. */
  isChanged?: boolean;
  children: ReactNode;
}

/** Details of one thing at the side of the page, with their own address. */
export function SidePanel({ title, closeTo, isForm = false, isChanged, children }: SidePanelProps) {
  const t = useWords(words);
  const go = useNavigateTo();
  const { remember, hasEntered } = useEntered();
  const wouldLose = () => isForm && (isChanged ?? hasEntered());
  const { isAsking, ask, discard, keep } = useAsking(wouldLose);
  const close = () => go(closeTo, { keepScroll: true });
  const onClose = () => (wouldLose() ? ask(close) : close());
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnEscape={!isAsking}
      position="right"
      size={560}
      title={title}
      overlayProps={{ backgroundOpacity: 0.15 }}
      closeButtonProps={{ "aria-label": t.close }}
      classNames={CLASS_NAMES}
      onFocusCapture={remember}
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

/** Asks before input is lost: when the panel is closed, with the browser's back button, and when the search (Ctrl-K) leads elsewhere. */
function useAsking(wouldLose: () => boolean) {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const blocker = useBlocker({
    shouldBlockFn: ({ action }) => action !== "PUSH" && action !== "REPLACE" && wouldLose(),
    enableBeforeUnload: false,
    withResolver: true,
  });
  /** Not before the key press that leads here is over: both dialogs listen to it, and one would answer the other. */
  const set = (next: (() => void) | null) => setTimeout(() => setLeave(() => next));
  const form = useRef({ hasEntered: wouldLose, ask: set });
  form.current = { hasEntered: wouldLose, ask: set };
  useEffect(() => {
    return registerForm({ hasEntered: () => form.current.hasEntered(), ask: (next) => form.current.ask(next) });
  }, []);
  const discard = () => {
    if (blocker.status === "blocked") blocker.proceed();
    else leave?.();
    setLeave(null);
  };
  const keep = () => {
    if (blocker.status === "blocked") blocker.reset();
    set(null);
  };
  return { isAsking: leave !== null || blocker.status === "blocked", ask: set, discard, keep };
}
