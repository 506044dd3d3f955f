import { Button, Group, Modal, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { CredentialRow } from "../../../src/admin/credentials/schema.ts";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { useWords } from "../../words/use-words.ts";
import { ScopesField } from "./scopes-field.tsx";
import { useCredentialChange } from "./use-credentials.ts";
import { words } from "./words.ts";

/** Changes a credential's scopes. The store's own may have none: its secret then only signs deliveries. */
export function ScopesDialog({ credential, onClose }: { credential: CredentialRow; onClose(): void }) {
  const t = useWords(words);
  const [scopes, setScopes] = useState<string[]>(credential.scopes);
  const change = useCredentialChange(() => {
    onClose();
    notifyDone(t.scopesDone(credential.name));
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const path = `/credentials/${encodeURIComponent(credential.key)}/scopes`;
    change.mutate({ method: "PUT", path, body: { scopes } });
  };
  const isEmpty = scopes.length === 0;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.scopesTitle(credential.name)}
      closeButtonProps={{ "aria-label": t.cancel }}
    >
      <form onSubmit={submit}>
        <Stack gap={16}>
          {credential.is_store ? <div>{t.scopesOfStore}</div> : null}
          <ScopesField
            value={scopes}
            onChange={setScopes}
            error={isEmpty && !credential.is_store ? t.scopesNeeded : null}
          />
          {isEmpty && credential.is_store ? <div role="status">{t.scopesClose}</div> : null}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={change.isPending} disabled={isEmpty && !credential.is_store}>
              {isEmpty ? t.scopesCloseDo : t.scopesSave}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
