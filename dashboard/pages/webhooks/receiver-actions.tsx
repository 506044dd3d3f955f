import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { SecretAnswer, SubscriptionRow } from "../../../src/admin/webhooks/schema.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { useWords } from "../../words/use-words.ts";
import { useShowSecret } from "./use-secret.tsx";
import { toSubscription, useChange } from "./use-webhooks.ts";
import { words } from "./words.ts";

type ReceiverAction = "rotate" | "confirm" | "remove";

/** A new secret, its confirmation, and the end of the subscription, each after a question. */
export function ReceiverActions({ receiver }: { receiver: SubscriptionRow }) {
  const t = useWords(words);
  const [action, setDeed] = useState<ReceiverAction | null>(null);
  return (
    <Group gap={8}>
      <Button variant="default" onClick={() => setDeed("rotate")}>
        {t.rotate}
      </Button>
      {receiver.is_rotating ? <Button onClick={() => setDeed("confirm")}>{t.confirm}</Button> : null}
      <Button variant="subtle" color="red" onClick={() => setDeed("remove")}>
        {t.remove}
      </Button>
      {action === null ? null : <ActionDialog action={action} topic={receiver.topic} onClose={() => setDeed(null)} />}
    </Group>
  );
}

function ActionDialog({ action, topic, onClose }: { action: ReceiverAction; topic: string; onClose(): void }) {
  const t = useWords(words);
  const showSecret = useShowSecret();
  const close = (said: string) => () => {
    onClose();
    notifyDone(said);
  };
  const rotate = useChange(toSubscription<SecretAnswer>("POST", "/rotate"), ({ data }) => {
    onClose();
    if (data.secret !== null) showSecret({ secret: data.secret, isRotated: true });
  });
  const confirm = useChange(toSubscription("POST", "/confirm"), close(t.confirmed));
  const remove = useChange(toSubscription("DELETE", ""), close(t.removed));
  const change = { rotate, confirm, remove }[action];
  const ask = { rotate: t.rotateAsk, confirm: t.confirmAsk, remove: t.removeAsk }[action];
  return (
    <ConfirmDialog
      opened
      title={t[action]}
      confirm={t[action]}
      {...(action === "remove" ? { tone: "bad" as const } : {})}
      onConfirm={() => change.mutate({ topic })}
      onClose={onClose}
      isBusy={change.isPending}
    >
      {ask}
    </ConfirmDialog>
  );
}
