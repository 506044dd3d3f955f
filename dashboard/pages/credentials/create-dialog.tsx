import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { NewCredential } from "../../../src/admin/credentials/schema.ts";
import { faultOf } from "../../ui/fault-of.ts";
import { SecretOnce } from "../../ui/secret-once.tsx";
import { useWords } from "../../words/use-words.ts";
import { ScopesField } from "./scopes-field.tsx";
import { useCredentialChange } from "./use-credentials.ts";
import { words } from "./words.ts";

/** Makes a credential; its secret is shown once. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const t = useWords(words);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<string[]>(["read", "write"]);
  const [made, setMade] = useState<NewCredential | null>(null);
  const create = useCredentialChange<{ data: NewCredential }>(({ data }) => setMade(data));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ method: "POST", path: "/credentials", body: { name, scopes } });
  };
  if (made !== null) {
    const items = [[t.key, made.key] as const, [t.secret, made.secret] as const];
    return <SecretOnce title={t.secretTitle(name)} hint={t.secretHint} items={items} done={t.kept} onDone={onClose} />;
  }
  return (
    <Modal opened onClose={onClose} title={t.create} closeButtonProps={{ "aria-label": t.cancel }}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          <TextInput
            label={t.name}
            description={t.nameHint}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultOf(create.error, "/name")}
            maxLength={100}
            required
            data-autofocus
          />
          <ScopesField value={scopes} onChange={setScopes} error={scopes.length === 0 ? t.scopesNeeded : null} />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={scopes.length === 0}>
              {t.createDo}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
