import { Button, Group } from "@mantine/core";
import type { ShownAlert, ShownAlerts } from "../../../src/admin/alerts/schema.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import { SettingsForm } from "./settings-form.tsx";
import { ALERTS_QUERY, useAlerts, useTestAlert } from "./use-alerts.ts";
import { words } from "./words.ts";

/** The conditions of which people are notified, and the latest alerts. */
export function AlertsPage() {
  const t = useWords(words);
  const alerts = useAlerts();
  const test = useTestAlert();
  const action = (
    <Button variant="default" onClick={() => test.mutate()} loading={test.isPending}>
      {t.test}
    </Button>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} action={action}>
      {alerts.data === undefined ? null : (
        <Section title={t.settings}>
          <SettingsForm alerts={alerts.data} />
        </Section>
      )}
      <Section title={t.log}>
        <DataTable
          caption={t.log}
          columns={useColumns(alerts.data)}
          rows={alerts.data?.alerts}
          rowKey={({ uid }) => uid}
          isLoading={alerts.isLoading}
          error={alerts.error}
          onRetry={alerts.refetch}
          empty={t.none}
        />
      </Section>
    </Page>
  );
}

AlertsPage.prefetchedQueries = () => [ALERTS_QUERY];

function useColumns(settings: ShownAlerts | undefined): Column<ShownAlert>[] {
  const t = useWords(words);
  const { language } = useLanguage();
  return [
    { key: "what", onPhone: "first", header: t.what, render: ({ text }) => text[language] },
    { key: "began", onPhone: "second", header: t.began, render: ({ began_at: at }) => <Time at={at} /> },
    {
      key: "state",
      onPhone: "second",
      header: t.state,
      render: ({ ended_at: at }) =>
        at === null ? (
          <StateBadge tone="bad">{t.open}</StateBadge>
        ) : (
          <Group gap={8}>
            <StateBadge tone="good">{t.over}</StateBadge>
            <Time at={at} />
          </Group>
        ),
    },
    {
      key: "sent",
      header: t.sent,
      render: ({ is_mailed, is_posted }) => {
        const hasMail = settings?.has_mail === true && settings.addresses.length > 0;
        const ways = [
          hasMail && is_mailed ? t.byMail : null,
          (settings?.webhook_host ?? null) !== null && is_posted ? t.byWebhook : null,
        ].filter((way) => way !== null);
        return ways.length === 0 ? t.notYet : ways.join(", ");
      },
    },
  ];
}
