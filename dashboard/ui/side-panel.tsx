import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../words/use-words.ts";
import classes from "./side-panel.module.css";
import { useNavigateTo } from "./use-navigate-to.ts";
import { words } from "./words.ts";

interface SidePanelProps {
  title: ReactNode;
  /** The path of the page below, to which Esc, the close button and a click beside the panel lead. */
  closeTo: string;
  children: ReactNode;
}

/** Details of one thing at the side of the page, with their own address. */
export function SidePanel({ title, closeTo, children }: SidePanelProps) {
  const t = useWords(words);
  const go = useNavigateTo();
  return (
    <Drawer
      opened
      onClose={() => go(closeTo, { keepScroll: true })}
      position="right"
      size={560}
      title={title}
      overlayProps={{ backgroundOpacity: 0.15 }}
      closeButtonProps={{ "aria-label": t.close }}
      classNames={{ title: classes["title"] ?? "", body: classes["body"] ?? "" }}
    >
      {children}
    </Drawer>
  );
}
