import { Button, Checkbox, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { NewStorefrontKey } from "../../../src/admin/credentials/schema.ts";
import { faultOf } from "../../ui/fault-of.ts";
import { SecretOnce } from "../../ui/secret-once.tsx";
import { useWords } from "../../words/use-words.ts";
import { storefrontWords } from "./storefront-words.ts";
import { useCredentialChange } from "./use-credentials.ts";
import { words } from "./words.ts";

/** Makes a storefront key; its secret is shown once. */
export function StorefrontKeyDialog({ onClose }: { onClose(): void }) {
  const [t, common] = [useWords(storefrontWords), useWords(words)];
  const [name, setName] = useState("");
  const [canRedeem, setCanRedeem] = useState(true);
  const [made, setMade] = useState<NewStorefrontKey | null>(null);
  const create = useCredentialChange<{ data: NewStorefrontKey }>(({ data }) => setMade(data));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ method: "POST", path: "/storefront/keys", body: { name, can_redeem: canRedeem } });
  };
  if (made !== null) {
    const items = [[t.keyId, made.key_id] as const, [common.secret, made.secret] as const];
    const title = common.secretTitle(name);
    return <SecretOnce title={title} hint={t.secretHint} items={items} done={common.kept} onDone={onClose} />;
  }
  return (
    <Modal opened onClose={onClose} title={t.create} closeButtonProps={{ "aria-label": common.cancel }}>
      <form onSubmit={submit}>
        <Stack gap={16}>
          <TextInput
            label={common.name}
            description={t.nameHint}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultOf(create.error, "/name")}
            maxLength={100}
            required
            data-autofocus
          />
          <Checkbox
            label={t.canRedeem}
            description={t.canRedeemHint}
            checked={canRedeem}
            onChange={(event) => setCanRedeem(event.currentTarget.checked)}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {common.createDo}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
