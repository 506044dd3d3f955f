import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useWords } from "../../words/use-words.ts";
import { words } from "../words.ts";
import classes from "./notify-done.module.css";
import { showToast } from "./show-toast.ts";

const SHOWN_MS = 6_000;
const UNDO_SHOWN_MS = 12_000;

interface Undo {
  /** What was done: its id. */
  readonly of: string;
  run(): void;
}

/** Notifies the person of what was done, and offers to undo it. */
export function notifyDone(text: string, undo?: Undo): void {
  if (undo === undefined) {
    showToast({ autoClose: SHOWN_MS, message: text });
    return;
  }
  const onUndo = () => {
    hideUndo(undo.of);
    undo.run();
  };
  showToast({
    id: idOf(undo.of),
    autoClose: UNDO_SHOWN_MS,
    message: <WithUndo text={text} onUndo={onUndo} />,
  });
}

/** Hides the offer to undo something, because it was undone elsewhere. */
export function hideUndo(of: string): void {
  notifications.hide(idOf(of));
}

function idOf(of: string): string {
  return `undo ${of}`;
}

function WithUndo({ text, onUndo }: { text: string; onUndo: () => void }) {
  const t = useWords(words);
  return (
    <span className={classes["row"]}>
      <span>{text}</span>
      <Button size="compact-sm" variant="default" onClick={onUndo}>
        {t.undo}
      </Button>
    </span>
  );
}
