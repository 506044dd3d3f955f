import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import type { StorefrontKeyRow } from "../../../src/admin/credentials/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { DateText } from "../../ui/values/date-text.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { RevokeDialog } from "./secret-dialogs.tsx";
import { StorefrontKeyDialog } from "./storefront-key-dialog.tsx";
import { StorefrontOrigins } from "./storefront-origins.tsx";
import { storefrontWords } from "./storefront-words.ts";
import { useStorefront } from "./use-credentials.ts";
import { words } from "./words.ts";

/** Keys that sign customer tokens, and the pages that may use them. */
export function StorefrontPart() {
  const t = useWords(storefrontWords);
  const storefront = useStorefront();
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<StorefrontKeyRow | null>(null);
  const create = (
    <Button variant="default" onClick={() => setIsCreating(true)}>
      {t.create}
    </Button>
  );
  return (
    <Section title={t.title} action={create}>
      <Stack gap={16}>
        <div>{t.what}</div>
        <DataTable
          caption={t.keys}
          columns={useColumns(setRevoked)}
          rows={storefront.data?.keys}
          rowKey={(key) => key.key_id}
          isLoading={storefront.isLoading}
          error={storefront.error}
          onRetry={storefront.refetch}
          empty={t.noKeys}
        />
        {storefront.data === undefined ? null : <StorefrontOrigins origins={storefront.data.origins} />}
      </Stack>
      {isCreating ? <StorefrontKeyDialog onClose={() => setIsCreating(false)} /> : null}
      {revoked === null ? null : (
        <RevokeDialog name={revoked.name} path={`/storefront/keys/${revoked.key_id}`} onClose={() => setRevoked(null)}>
          {t.revokeWhat}
        </RevokeDialog>
      )}
    </Section>
  );
}

function useColumns(onRevoke: (key: StorefrontKeyRow) => void): Column<StorefrontKeyRow>[] {
  const [t, common] = [useWords(storefrontWords), useWords(words)];
  return [
    { key: "name", onPhone: "first", header: common.name, render: ({ name }) => name },
    { key: "key", onPhone: "second", header: t.keyId, render: ({ key_id }) => <CopyId value={key_id} /> },
    {
      key: "allows",
      onPhone: "second",
      header: t.allows,
      render: ({ can_redeem }) => (can_redeem ? t.redeems : t.reads),
    },
    {
      key: "used",
      onPhone: "named",
      header: common.used,
      render: ({ last_used_at: at }) => (at === null ? common.never : <Time at={at} />),
    },
    { key: "created", header: common.created, render: ({ created_at }) => <DateText at={created_at} /> },
    {
      key: "state",
      onPhone: "second",
      header: common.state,
      render: ({ revoked_at }) => (
        <StateBadge tone={revoked_at === null ? "good" : "neutral"}>
          {revoked_at === null ? common.active : common.revoked}
        </StateBadge>
      ),
    },
    {
      key: "change",
      onPhone: "second",
      header: "",
      align: "right",
      render: (key) =>
        key.revoked_at === null ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${common.revoke}: ${key.name}`}
            onClick={() => onRevoke(key)}
          >
            {common.revoke}
          </Button>
        ) : null,
    },
  ];
}
