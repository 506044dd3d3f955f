import { Button, Group, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { PasskeyListed } from "../../../src/admin/session/schema.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import rows from "../../ui/session-list.module.css";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { FACTORS_KEY, useAccount } from "./use-account.ts";
import { words } from "./words.ts";

/** A passkey of the account, which can be renamed and removed. */
export function PasskeyRow({
  passkey: { uid, name, used_at: usedAt, is_synced: isSynced, is_suspected: isSuspected },
}: {
  passkey: PasskeyListed;
}) {
  const t = useWords(words);
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const [isRenaming, setIsRenaming] = useState(false);
  const remove = useAccount("DELETE", `/account/passkeys/${uid}`, () => {
    setIsAsking(false);
    void client.invalidateQueries({ queryKey: FACTORS_KEY });
    notifyDone(t.passkeyRemoved(name));
  });
  if (isRenaming) {
    return (
      <li className={rows["row"]}>
        <RenameForm {...{ uid, name }} onClose={() => setIsRenaming(false)} />
      </li>
    );
  }
  return (
    <li className={rows["row"]}>
      <div>
        <strong>{name}</strong>
        <p className={classes["text"]}>
          {isSynced ? t.passkeySynced : t.passkeyOneDevice} · {t.passkeyUsed} <Time at={usedAt} />
        </p>
        {isSuspected ? <StateBadge tone="bad">{t.passkeySuspected}</StateBadge> : null}
      </div>
      <Group gap={8}>
        <Button variant="default" onClick={() => setIsRenaming(true)} aria-label={t.passkeyRenameNamed(name)}>
          {t.rename}
        </Button>
        <Button variant="default" onClick={() => setIsAsking(true)} aria-label={t.passkeyRemoveNamed(name)}>
          {t.remove}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        title={t.passkeyRemoveNamed(name)}
        confirm={t.remove}
        tone="bad"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({})}
        onClose={() => setIsAsking(false)}
      >
        {t.passkeyRemoveWhat}
      </ConfirmDialog>
    </li>
  );
}

function RenameForm({ uid, name, onClose }: { uid: string; name: string; onClose(): void }) {
  const t = useWords(words);
  const client = useQueryClient();
  const [typed, setTyped] = useState(name);
  const rename = useAccount("PUT", `/account/passkeys/${uid}`, async () => {
    await client.invalidateQueries({ queryKey: FACTORS_KEY });
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ name: typed });
  };
  return (
    <form className={classes["form"]} onSubmit={submit}>
      <TextInput
        label={t.passkeyName}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={faultOf(rename.error, "/name")}
        maxLength={100}
        autoFocus
        required
      />
      <Group gap={8}>
        <Button type="submit" loading={rename.isPending}>
          {t.save}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t.cancel}
        </Button>
      </Group>
    </form>
  );
}
