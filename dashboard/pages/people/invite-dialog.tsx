import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { InviteBody, ShownLink } from "../../../src/admin/people/schema.ts";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { CancelButton } from "../../ui/layout/cancel-button.tsx";
import { FormDialog } from "../../ui/layout/form-dialog.tsx";
import { SecretOnce } from "../../ui/values/secret-once.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { RoleField } from "./role-field.tsx";
import { usePeopleChange } from "./use-people.ts";
import { words } from "./words.ts";

/** Creates a person; the link of the invitation is shown once. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const t = useWords(words);
  const [input, setInput] = useState<InviteBody>({ email: "", name: "", role: "support" });
  const [made, setMade] = useState<ShownLink | null>(null);
  const invite = usePeopleChange<{ data: ShownLink }>(({ data }) => setMade(data));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ method: "POST", path: "/people", body: input });
  };
  const field = (name: "email" | "name") => ({
    label: name === "email" ? t.email : t.person,
    value: input[name],
    required: true,
    error: faultOf(invite.error, `/${name}`),
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget;
      setInput((before) => ({ ...before, [name]: value }));
    },
  });
  if (made !== null) return <MadeLinkDialog name={input.name} made={made} onDone={onClose} />;
  return (
    <FormDialog title={t.invite} close={t.cancel} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          <TextInput {...field("name")} data-autofocus autoComplete="off" />
          <TextInput {...field("email")} type="email" autoComplete="off" />
          <RoleField value={input.role} onChange={(role) => setInput((before) => ({ ...before, role }))} />
          <Group justify="flex-end" gap={8}>
            <CancelButton>{t.cancel}</CancelButton>
            <Button type="submit" loading={invite.isPending}>
              {t.inviteDo}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}

interface MadeLinkProps {
  name: string;
  made: ShownLink;
  onDone(): void;
}

/** Says that a link was sent by mail, or shows it once. */
export function MadeLinkDialog({ name, made, onDone }: MadeLinkProps) {
  const t = useWords(words);
  const format = useFormat();
  const { ways_in: ways } = useSession();
  const until = format.exact(made.expires_at);
  if (!ways.password) {
    return (
      <Modal opened onClose={onDone} title={t.addedTitle(name)} closeButtonProps={{ "aria-label": t.cancel }}>
        <Stack gap={16}>
          <p>{t.added(ways.oidc ?? "OpenID Connect")}</p>
          <Group justify="flex-end">
            <Button onClick={onDone}>{t.done}</Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  if (made.link === null) {
    return (
      <Modal opened onClose={onDone} title={t.mailedTitle(name)} closeButtonProps={{ "aria-label": t.cancel }}>
        <Stack gap={16}>
          <p>{t.mailed(made.mailed_to ?? "", until)}</p>
          <Group justify="flex-end">
            <Button onClick={onDone}>{t.done}</Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <SecretOnce
      title={t.linkTitle(name)}
      hint={t.linkHint(until)}
      items={[[t.link, made.link]]}
      done={t.kept}
      onDone={onDone}
    />
  );
}
