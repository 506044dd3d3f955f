import { Button, Group, Modal } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import { useIsConfirming } from "../../api/use-is-confirming.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "../words.ts";
import classes from "./confirm-dialog.module.css";

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** The consequences. */
  children: ReactNode;
  /** The label of the button: the action, not "OK". */
  confirm: string;
  tone?: "bad";
  onConfirm(): void;
  onClose(): void;
  isBusy?: boolean;
}

/** Asks for a confirmation before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const t = useWords(words);
  const { opened, title, children, confirm, tone, onConfirm, onClose, isBusy = false } = props;
  const isConfirming = useIsConfirming();
  const confirmOnce = ({ detail }: MouseEvent) => {
    if (detail < 2) onConfirm(); // the second click of a double click may come before the button shows that it is busy
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnEscape={!isConfirming}
      title={title}
      closeButtonProps={{ "aria-label": t.close }}
    >
      <div className={classes["body"]}>{children}</div>
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={onClose} data-autofocus={isBusy || undefined}>
          {t.cancel}
        </Button>
        <Button
          {...(tone === "bad" ? { color: "red" } : {})}
          loading={isBusy}
          onClick={confirmOnce}
          data-autofocus={!isBusy || undefined} // a button that is busy cannot have the focus, which would stay below the dialog
        >
          {confirm}
        </Button>
      </Group>
    </Modal>
  );
}
