import { Button, Group, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyId } from "./copy-id.tsx";
import classes from "./secret-once.module.css";

interface SecretOnceProps {
  title: string;
  /** Says that it is shown only once, and what to do with it. */
  hint: ReactNode;
  /** Names and values to copy. */
  items: readonly (readonly [label: string, value: string])[];
  /** The label of the button: that it was stored. */
  done: string;
  onDone(): void;
}

/** Shows a secret that cannot be shown again. Neither a click outside nor Esc closes it. */
export function SecretOnce({ title, hint, items, done, onDone }: SecretOnceProps) {
  return (
    <Modal
      opened
      onClose={onDone}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <p className={classes["hint"]}>{hint}</p>
      <dl className={classes["items"]}>
        {items.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={classes["secret"]}>
              <CopyId value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <Group justify="flex-end" mt={16}>
        <Button onClick={onDone}>{done}</Button>
      </Group>
    </Modal>
  );
}
