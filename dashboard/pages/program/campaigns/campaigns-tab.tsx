import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { PlusIcon } from "../../../ui/layout/icons.tsx";
import { Section } from "../../../ui/layout/section.tsx";
import { DataTable } from "../../../ui/lists/data-table.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { useNavigateTo } from "../../../ui/urls/use-navigate-to.ts";
import { useUrlState } from "../../../ui/urls/use-url-state.ts";
import { StateBadge } from "../../../ui/values/state-badge.tsx";
import { useWords } from "../../../words/use-words.ts";
import { CalendarView } from "../calendar-view.tsx";
import { useDraft } from "../draft/draft-context.ts";
import classes from "../program.module.css";
import { RateText } from "../rate-fields.tsx";
import { words } from "../words.ts";
import { toInstant, toLocal } from "../zone-time.ts";
import { CampaignPanel } from "./campaign-panel.tsx";
import { factorOf, multipliedRates } from "./campaign-rates.ts";
import { compareCampaigns, newCampaign, overlapsOf, phaseOf, spanOf } from "./campaigns.ts";

/** The campaigns as a month and as a list; one is edited in a panel. */
export function CampaignsTab() {
  const t = useWords(words);
  const { document, program, isEditable } = useDraft();
  const zone = document.store.time_zone;
  const today = toLocal(program.now, zone).slice(0, 10);
  const [{ month, open }, setState] = useUrlState({ month: today.slice(0, 7), open: "" });
  const linkOf = (index: number) => `/program/campaigns?month=${month}&open=${index}`;
  const entries = document.campaigns.map((campaign, index) => ({
    ...spanOf(campaign),
    name: campaign.name,
    phase: phaseOf(campaign, program.now),
    to: linkOf(index),
  }));
  const add = isEditable ? <AddButton linkOf={linkOf} /> : null;
  const isEmpty = entries.length === 0;
  return (
    <Section title={t.tabs.campaigns} action={isEmpty ? null : add}>
      <Overlaps />
      {isEmpty ? null : (
        <CalendarView
          entries={entries}
          month={month}
          today={today}
          timeZone={zone}
          onMonth={(next) => setState({ month: next })}
        />
      )}
      <CampaignTable linkOf={linkOf} add={add} />
      {open === "" ? null : <CampaignPanel index={Number(open)} closeTo={`/program/campaigns?month=${month}`} />}
    </Section>
  );
}

function AddButton({ linkOf }: { linkOf(index: number): string }) {
  const t = useWords(words);
  const go = useNavigateTo();
  const { document, program, change } = useDraft();
  const add = () => {
    const { campaigns, store } = document;
    const tomorrow = toLocal(new Date(Date.parse(program.now) + 86_400_000).toISOString(), store.time_zone).slice(
      0,
      10,
    );
    const rate = multipliedRates(document, 2);
    const starts = toInstant(`${tomorrow}T00:00`, store.time_zone) ?? program.now;
    change({ ...document, campaigns: [...campaigns, newCampaign(campaigns, t.newCampaignName, starts, rate)] });
    go(linkOf(campaigns.length), { keepScroll: true });
  };
  return (
    <Button variant="default" leftSection={<PlusIcon />} onClick={add} data-focus-name="add">
      {t.addCampaign}
    </Button>
  );
}

/** Names campaigns that overlap, in pairs. */
function Overlaps() {
  const t = useWords(words);
  const { campaigns } = useDraft().document;
  const pairs = campaigns.flatMap((one, index) =>
    overlapsOf(campaigns, index).flatMap((other) =>
      other > index ? [t.overlap(one.name, campaigns[other]?.name ?? "")] : [],
    ),
  );
  if (pairs.length === 0) return null;
  return (
    <div className={classes["notice"]} role="alert">
      {pairs.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </div>
  );
}

const TONES = { running: "good", planned: "neutral", over: "neutral" } as const;

function CampaignTable({ linkOf, add }: { linkOf(index: number): string; add: ReactNode }) {
  const t = useWords(words);
  const { document, program, time, format } = useDraft();
  const { campaigns, earning } = document;
  const rows = campaigns
    .map((campaign, index) => ({ campaign, index }))
    .toSorted((a, b) => compareCampaigns(a.campaign, b.campaign, program.now));
  return (
    <DataTable
      caption={t.tabs.campaigns}
      rows={rows}
      rowKey={({ index }) => String(index)}
      rowLink={({ index }) => linkOf(index)}
      linksToPanel
      empty={<EmptyState title={t.noCampaigns} hint={t.noCampaignsHint} action={add} />}
      columns={[
        { key: "name", onPhone: "first", header: t.campaignName, render: ({ campaign }) => campaign.name },
        {
          key: "phase",
          onPhone: "second",
          header: t.phase,
          render: ({ campaign }) => {
            const phase = phaseOf(campaign, program.now);
            return <StateBadge tone={TONES[phase]}>{t[phase]}</StateBadge>;
          },
        },
        { key: "starts", onPhone: "named", header: t.starts, render: ({ campaign }) => time(campaign.starts_at) },
        { key: "ends", onPhone: "named", header: t.ends, render: ({ campaign }) => time(campaign.ends_at) },
        {
          key: "rate",
          onPhone: "second",
          header: t.tierRate,
          render: ({ campaign }) => {
            const factor = factorOf(document, campaign);
            if (factor !== null) return t.times(format.number(factor));
            return <RateText points={campaign.point_value} money={campaign.currency_value ?? earning.currency_value} />;
          },
        },
      ]}
    />
  );
}
