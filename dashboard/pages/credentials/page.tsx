import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { CredentialRow } from "../../../src/admin/credentials/schema.ts";
import { Page } from "../../ui/layout/page.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { useParam } from "../../ui/urls/use-param.ts";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { DateText } from "../../ui/values/date-text.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { CreateDialog } from "./create-dialog.tsx";
import { FailuresPart } from "./failures-part.tsx";
import classes from "./page.module.css";
import { RequestsPanel } from "./requests-panel.tsx";
import { ScopesDialog } from "./scopes-dialog.tsx";
import { RevokeDialog } from "./secret-dialogs.tsx";
import { StoreKeyPart } from "./store-key-part.tsx";
import { StorefrontPart } from "./storefront-part.tsx";
import { CREDENTIAL_QUERIES, useCredentials } from "./use-credentials.ts";
import { words } from "./words.ts";

const ALL_SCOPES = 5;

/** The credentials of the API, and the store's secret. */
export function CredentialsPage() {
  const t = useWords(words);
  const credentials = useCredentials();
  const shownKey = useParam("key");
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<CredentialRow | null>(null);
  const [scoped, setScoped] = useState<CredentialRow | null>(null);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      action={<Button onClick={() => setIsCreating(true)}>{t.create}</Button>}
    >
      <DataTable
        caption={t.title}
        columns={useColumns({ onRevoke: setRevoked, onScopes: setScoped })}
        rows={credentials.data}
        rowKey={(credential) => credential.key}
        rowLink={({ key }) => `/credentials/${encodeURIComponent(key)}`}
        linksToPanel
        isLoading={credentials.isLoading}
        error={credentials.error}
        onRetry={credentials.refetch}
        empty={t.none}
      />
      <div className={classes["hint"]}>{t.requestsHint}</div>
      <StoreKeyPart />
      <StorefrontPart />
      <FailuresPart />
      {shownKey === null ? null : <RequestsPanel credentialKey={shownKey} closeTo="/credentials" />}
      {isCreating ? <CreateDialog onClose={() => setIsCreating(false)} /> : null}
      {scoped === null ? null : <ScopesDialog credential={scoped} onClose={() => setScoped(null)} />}
      {revoked === null ? null : (
        <RevokeDialog
          name={revoked.name}
          path={`/credentials/${encodeURIComponent(revoked.key)}`}
          onClose={() => setRevoked(null)}
        >
          {t.revokeWhat}
        </RevokeDialog>
      )}
    </Page>
  );
}

CredentialsPage.prefetchedQueries = () => CREDENTIAL_QUERIES;

interface Asking {
  onRevoke(credential: CredentialRow): void;
  onScopes(credential: CredentialRow): void;
}

function useColumns(asking: Asking): Column<CredentialRow>[] {
  const t = useWords(words);
  return [
    { key: "name", onPhone: "first", header: t.name, render: ({ name }) => name },
    { key: "key", onPhone: "second", header: t.key, render: ({ key }) => <CopyId value={key} /> },
    { key: "scopes", onPhone: "named", header: t.scopes, render: ({ scopes }) => <Scopes scopes={scopes} /> },
    {
      key: "used",
      onPhone: "named",
      header: t.used,
      render: ({ last_used_at: at }) => (at === null ? t.never : <Time at={at} />),
    },
    {
      key: "created",
      onPhone: "named",
      header: t.created,
      render: ({ created_at }) => <DateText at={created_at} />,
    },
    {
      key: "state",
      onPhone: "second",
      header: t.state,
      render: (credential) => <CredentialState credential={credential} />,
    },
    {
      key: "change",
      onPhone: "second",
      header: "",
      align: "right",
      render: (credential) =>
        credential.revoked_at === null ? <CredentialActions credential={credential} {...asking} /> : null,
    },
  ];
}

function CredentialActions({ credential, onRevoke, onScopes }: { credential: CredentialRow } & Asking) {
  const t = useWords(words);
  const button = (word: string, onClick: () => void) => (
    <Button size="compact-sm" variant="default" aria-label={`${word}: ${credential.name}`} onClick={onClick}>
      {word}
    </Button>
  );
  return (
    <Group gap={8} justify="flex-end" wrap="nowrap">
      {button(t.scopesChange, () => onScopes(credential))}
      {credential.is_store ? null : button(t.revoke, () => onRevoke(credential))}
    </Group>
  );
}

function Scopes({ scopes }: Pick<CredentialRow, "scopes">) {
  const t = useWords(words);
  const names = scopes.map((one) => t.scopeNames[one]);
  if (names.length === 0) return <span className={classes["line"]}>{t.noScopes}</span>;
  return <span className={classes["line"]}>{names.length === ALL_SCOPES ? t.allScopes : names.join(", ")}</span>;
}

function CredentialState({ credential }: { credential: CredentialRow }) {
  const t = useWords(words);
  if (credential.revoked_at !== null) return <StateBadge tone="neutral">{t.revoked}</StateBadge>;
  if (credential.scopes.length === 0) return <StateBadge tone="neutral">{t.closed}</StateBadge>;
  return <StateBadge tone="good">{credential.is_store ? t.store : t.active}</StateBadge>;
}
