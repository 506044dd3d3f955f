import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { StoreKeyState } from "../../../src/admin/credentials/schema.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { SecretOnce } from "../../ui/values/secret-once.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { useCredentialChange, useStoreKey } from "./use-credentials.ts";
import { words } from "./words.ts";

type Asked = "rotate" | "confirm" | null;

/** The API secret key: rotated with an overlap, and confirmed when every system uses the new one. */
export function StoreKeyPart() {
  const t = useWords(words);
  const { data } = useStoreKey();
  const [asked, setAsked] = useState<Asked>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useCredentialChange<{ data: { secret: string } }>(({ data: made }) => {
    setAsked(null);
    setSecret(made.secret);
  });
  const confirm = useCredentialChange(() => {
    setAsked(null);
    notifyDone(t.confirmed);
  });
  const go = () =>
    asked === "rotate"
      ? rotate.mutate({ method: "POST", path: "/store-key" })
      : confirm.mutate({ method: "POST", path: "/store-key/confirm" });
  return (
    <Section title={t.storeKey}>
      <Stack gap={12}>
        <div>{t.storeKeyWhat}</div>
        {data === undefined ? null : <KeyState state={data} onAsk={setAsked} />}
      </Stack>
      <ConfirmDialog
        opened={asked !== null}
        title={asked === "confirm" ? t.confirm : t.rotate}
        confirm={asked === "confirm" ? t.confirm : t.rotate}
        {...(asked === "confirm" ? { tone: "bad" as const } : {})}
        isBusy={rotate.isPending || confirm.isPending}
        onConfirm={go}
        onClose={() => setAsked(null)}
      >
        {asked === "confirm" ? t.confirmWhat : t.rotateWhat}
      </ConfirmDialog>
      {secret === null ? null : (
        <SecretOnce
          title={t.newSecret}
          hint={t.secretHint}
          items={[[t.secret, secret]]}
          done={t.kept}
          onDone={() => setSecret(null)}
        />
      )}
    </Section>
  );
}

function KeyState({ state, onAsk }: { state: StoreKeyState; onAsk(asked: Asked): void }) {
  const t = useWords(words);
  if (state.is_fixed) return <div>{t.storeKeyFixed}</div>;
  if (state.next_since === null) {
    return (
      <Group>
        <Button variant="default" onClick={() => onAsk("rotate")}>
          {t.rotate}
        </Button>
      </Group>
    );
  }
  return (
    <>
      <div>
        {t.pendingSince} <Time at={state.next_since} />
      </div>
      <div>{t.pendingWhat}</div>
      <Group gap={8}>
        <Button onClick={() => onAsk("confirm")}>{t.confirm}</Button>
        <Button variant="default" onClick={() => onAsk("rotate")}>
          {t.rotateAgain}
        </Button>
      </Group>
    </>
  );
}
