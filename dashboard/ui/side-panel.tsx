import { Drawer } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useWords } from "../words/use-words.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import classes from "./side-panel.module.css";
import { useEntered } from "./use-entered.ts";
import { useNavigateTo } from "./use-navigate-to.ts";
import { words } from "./words.ts";

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
  const [isAsking, setIsAsking] = useState(false);
  const { remember, hasEntered } = useEntered();
  const close = () => go(closeTo, { keepScroll: true });
  /** Not before the key press that leads here is over: both dialogs listen to it, and one would answer the other. */
  const ask = (isOpen: boolean) => setTimeout(() => setIsAsking(isOpen));
  const onClose = () => (isForm && (isChanged ?? hasEntered()) ? ask(true) : close());
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
      classNames={{ title: classes["title"] ?? "", body: classes["body"] ?? "" }}
      onFocusCapture={remember}
    >
      {children}
      <ConfirmDialog
        opened={isAsking}
        title={t.discardTitle}
        confirm={t.discard}
        tone="bad"
        onConfirm={close}
        onClose={() => ask(false)}
      >
        <p>{t.discardText}</p>
      </ConfirmDialog>
    </Drawer>
  );
}
