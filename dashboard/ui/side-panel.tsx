import { Drawer } from "@mantine/core";
import { type BlockerFn, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useWords } from "../words/use-words.ts";
import { registerForm } from "./ask-to-leave.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { hasEnteredText } from "./entered-text.ts";
import classes from "./side-panel.module.css";
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
  const { isAsking, ask, discard, keep } = useAsking(wouldLose);
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

/** Asks before input is lost: when the panel is closed, with the browser's back button, and when the search (Ctrl-K) leads elsewhere. */
function useAsking(wouldLose: () => boolean) {
  const router = useRouter();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  /** Not before the key press that leads here is over: both dialogs listen to it, and one would answer the other. */
  const set = (next: (() => void) | null) => setTimeout(() => setLeave(() => next));
  const form = useRef({ hasEntered: wouldLose, ask: set });
  form.current = { hasEntered: wouldLose, ask: set };
  useEffect(() => {
    return registerForm({ hasEntered: () => form.current.hasEntered(), ask: (next) => form.current.ask(next) });
  }, []);
  useEffect(() => {
    /** A step back or forward is undone at once, and done again if the input may be discarded: a step that waits would change what later steps mean. */
    const blockerFn: BlockerFn = ({ action, currentLocation, nextLocation }) => {
      const delta = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
      const isStep = action !== "PUSH" && action !== "REPLACE" && delta !== 0;
      if (!isStep || !form.current.hasEntered()) return false;
      form.current.ask(() => router.history.go(delta, { ignoreBlocker: true }));
      return true;
    };
    return router.history.block({ blockerFn, enableBeforeUnload: false });
  }, [router]);
  const discard = () => {
    leave?.();
    setLeave(null);
  };
  return { isAsking: leave !== null, ask: set, discard, keep: () => set(null) };
}
