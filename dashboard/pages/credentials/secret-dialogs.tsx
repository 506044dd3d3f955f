import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { CancelButton } from "../../ui/layout/cancel-button.tsx";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { FormDialog } from "../../ui/layout/form-dialog.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { SecretOnce } from "../../ui/values/secret-once.tsx";
import { useWords } from "../../words/use-words.ts";
import { useCredentialChange } from "./use-credentials.ts";
import { words } from "./words.ts";

interface NewSecretDialogProps<Made extends { readonly secret: string }> {
  title: string;
  nameHint: string;
  secretHint: string;
  /** The path to which it is posted. */
  path: string;
  /** The fields that are sent in addition to the name. */
  body: object;
  /** Whether the present choice is not allowed. */
  isDisabled?: boolean;
  /** The label and value of the id, shown beside the secret. */
  idOf(made: Made): readonly [string, string];
  /** Further fields. */
  children: ReactNode;
  onClose(): void;
}

/** Creates something with a name and a secret, which is shown once. */
export function NewSecretDialog<Made extends { readonly secret: string }>(props: NewSecretDialogProps<Made>) {
  const { title, path, body, isDisabled = false, idOf, children, onClose } = props;
  const t = useWords(words);
  const [name, setName] = useState("");
  const [made, setMade] = useState<Made | null>(null);
  const create = useCredentialChange<{ data: Made }>(({ data }) => setMade(data));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ method: "POST", path, body: { name, ...body } });
  };
  if (made !== null) {
    const items = [idOf(made), [t.secret, made.secret] as const];
    const shown = { title: t.secretTitle(name), hint: props.secretHint, items, done: t.kept };
    return <SecretOnce {...shown} onDone={onClose} />;
  }
  return (
    <FormDialog title={title} close={t.cancel} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          <TextInput
            label={t.name}
            description={props.nameHint}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultOf(create.error, "/name")}
            maxLength={100}
            required
            data-autofocus
          />
          {children}
          <Group justify="flex-end" gap={8}>
            <CancelButton>{t.cancel}</CancelButton>
            <Button type="submit" loading={create.isPending} disabled={isDisabled}>
              {t.createDo}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}

interface RevokeDialogProps {
  name: string;
  /** The path that is deleted. */
  path: string;
  /** The consequences. */
  children: ReactNode;
  onClose(): void;
}

/** Revokes a credential or a key after a confirmation. */
export function RevokeDialog({ name, path, children, onClose }: RevokeDialogProps) {
  const t = useWords(words);
  const revoke = useCredentialChange(() => {
    onClose();
    notifyDone(t.revokeDone(name));
  });
  return (
    <ConfirmDialog
      opened
      title={t.revokeTitle(name)}
      confirm={t.revoke}
      tone="bad"
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate({ method: "DELETE", path })}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
