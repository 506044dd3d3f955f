import { Alert, Button } from "@mantine/core";
import type { ShownMessage } from "../../../src/admin/messages/schema.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { PageNotFound } from "../../ui/states/page-not-found.tsx";
import { useNavigateTo } from "../../ui/urls/use-navigate-to.ts";
import { useParam } from "../../ui/urls/use-param.ts";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { MessagePanel } from "./message-panel.tsx";
import { RulesForm } from "./rules-form.tsx";
import { MESSAGES_QUERY, useMessages } from "./use-messages.ts";
import { words } from "./words.ts";

/** Messages to members, each with its state, and a panel with its text. */
export function MessagesPage() {
  const t = useWords(words);
  const go = useNavigateTo();
  const kind = useParam("kind");
  const { data, error, refetch } = useMessages();
  const open = data?.messages.find((message) => message.kind === kind);
  const columns = useColumns();
  if (kind !== null && data !== undefined && open === undefined) return <PageNotFound />;
  const log = (
    <Button variant="default" onClick={() => go("/mails")}>
      {t.log}
    </Button>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} action={log}>
      {data?.has_mail === false ? (
        <Alert color="yellow" mb={16}>
          {t.noMail}
        </Alert>
      ) : null}
      <DataTable
        caption={t.list}
        columns={columns}
        rows={data?.messages}
        rowKey={(message) => message.kind}
        rowLink={(message) => `/messages/${message.kind}`}
        linksToPanel
        error={error}
        onRetry={() => void refetch()}
        empty={t.list}
      />
      {data === undefined ? null : (
        <Section title={t.rules}>
          <RulesForm shown={data} />
        </Section>
      )}
      {open === undefined ? null : <MessagePanel key={open.kind} message={open} closeTo="/messages" />}
    </Page>
  );
}

MessagesPage.prefetchedQueries = () => [MESSAGES_QUERY];

function useColumns(): Column<ShownMessage>[] {
  const t = useWords(words);
  const format = useFormat();
  return [
    { key: "what", onPhone: "first", header: t.what, render: ({ kind }) => t.kinds[kind] },
    {
      key: "when",
      onPhone: "second",
      header: t.when,
      render: ({ kind, days_before }) => t.whens[kind](format.number(days_before)),
    },
    {
      key: "text",
      header: t.textColumn,
      render: ({ texts }) => (texts.en.is_own || texts.ja.is_own ? t.ownText : t.builtInText),
    },
    {
      key: "state",
      onPhone: "first",
      header: t.state,
      render: ({ is_on }) => <StateBadge tone={is_on ? "good" : "neutral"}>{is_on ? t.on : t.off}</StateBadge>,
    },
  ];
}
