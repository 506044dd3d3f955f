import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { useWords } from "../../words/use-words.ts";
import { storefrontWords } from "./storefront-words.ts";
import { useCredentialChange } from "./use-credentials.ts";

/** The origins whose pages may use customer tokens. */
export function StorefrontOrigins({ origins }: { origins: readonly string[] }) {
  const t = useWords(storefrontWords);
  const [removed, setRemoved] = useState<string | null>(null);
  const columns: Column<string>[] = [
    { key: "origin", header: t.origins, render: (origin) => origin },
    {
      key: "change",
      header: "",
      align: "right",
      render: (origin) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${t.remove}: ${origin}`}
          onClick={() => setRemoved(origin)}
        >
          {t.remove}
        </Button>
      ),
    },
  ];
  return (
    <Stack gap={12}>
      <DataTable
        caption={t.origins}
        columns={columns}
        rows={[...origins]}
        rowKey={(origin) => origin}
        empty={t.noOrigins}
      />
      <AllowForm />
      {removed === null ? null : <RemoveDialog origin={removed} onClose={() => setRemoved(null)} />}
    </Stack>
  );
}

function AllowForm() {
  const t = useWords(storefrontWords);
  const [origin, setOrigin] = useState("");
  const allow = useCredentialChange(() => {
    notifyDone(t.allowed(origin));
    setOrigin("");
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    allow.mutate({ method: "POST", path: "/storefront/origins", body: { origin } });
  };
  return (
    <form onSubmit={submit}>
      <Group gap={8} align="flex-end">
        <TextInput
          label={t.origin}
          description={t.originHint}
          value={origin}
          onChange={(event) => setOrigin(event.currentTarget.value)}
          error={faultOf(allow.error, "/origin")}
          maxLength={300}
          required
          inputWrapperOrder={["label", "description", "error", "input"]}
        />
        <Button type="submit" variant="default" loading={allow.isPending}>
          {t.allow}
        </Button>
      </Group>
    </form>
  );
}

function RemoveDialog({ origin, onClose }: { origin: string; onClose(): void }) {
  const t = useWords(storefrontWords);
  const remove = useCredentialChange(() => {
    onClose();
    notifyDone(t.removed(origin));
  });
  return (
    <ConfirmDialog
      opened
      title={t.removeTitle(origin)}
      confirm={t.remove}
      tone="bad"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ method: "DELETE", path: "/storefront/origins", body: { origin } })}
      onClose={onClose}
    >
      {t.removeWhat}
    </ConfirmDialog>
  );
}
