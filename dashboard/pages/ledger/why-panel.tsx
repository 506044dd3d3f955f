import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { LedgerExplanation } from "../../../src/admin/ledger/schema.ts";
import { apiGet } from "../../api/client.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { useAllotmentName } from "../../ui/lists/allotment-columns.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { objectName } from "../../ui/values/allotment-source.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { Points } from "../../ui/values/points.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { allotmentWords } from "../../words/allotment-words.ts";
import { useLanguage } from "../../words/language.tsx";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { DrawList } from "./draw-list.tsx";
import classes from "./ledger.module.css";
import { words } from "./words.ts";

interface WhyPanelProps {
  uid: string;
  closeTo: string;
  /** The path of another allotment's panel. */
  pathOf(uid: string): string;
}

/** The explanation of an allotment, in numbers and in words; each number links to its source. */
export function WhyPanel({ uid, closeTo, pathOf }: WhyPanelProps) {
  const t = useWords(words);
  const { language } = useLanguage();
  const nameOfKind = useAllotmentName();
  const why = useQuery({
    queryKey: ["ledger", "why", uid, language],
    queryFn: ({ signal }) =>
      apiGet<{ data: LedgerExplanation }>(`/ledger/${encodeURIComponent(uid)}/explanation`, { language }, signal),
  });
  const explained = why.data?.data;
  const title = explained === undefined ? t.why : t.whyTitle(nameOfKind(explained));
  return (
    <SidePanel title={title} closeTo={closeTo}>
      {explained === undefined && why.error === null ? <Skeleton height={240} /> : null}
      {why.error === null ? null : <ErrorState error={why.error} onRetry={() => void why.refetch()} />}
      {explained === undefined ? null : <Explained {...{ explained, pathOf }} />}
    </SidePanel>
  );
}

function Explained({ explained, pathOf }: { explained: LedgerExplanation; pathOf: (uid: string) => string }) {
  const t = useWords(words);
  const { draws, used_by, remaining } = explained;
  return (
    <>
      <div className={classes["headline"]}>
        <Points value={explained.point_value} signed />
      </div>
      <WhyFacts explained={explained} />
      <Section title={t.why}>
        <ol className={classes["words"]}>
          {[...explained.words.entries()].map(([n, sentence]) => (
            <li key={n}>{sentence}</li>
          ))}
        </ol>
      </Section>
      {draws.length === 0 ? null : <DrawList title={t.takenFrom} draws={draws} pathOf={pathOf} />}
      {used_by.length === 0 ? null : (
        <DrawList title={t.usedFor} draws={used_by} pathOf={pathOf} rest={{ label: t.left, points: remaining }} />
      )}
    </>
  );
}

function WhyFacts({ explained }: { explained: LedgerExplanation }) {
  const t = useWords(words);
  const format = useFormat();
  const { customer, order_id, reason_type } = explained;
  const names = useWords(allotmentWords);
  const object = explained.object && (
    <CopyId key="object" value={explained.object} label={objectName(explained.object, names)} />
  );
  const rows = [
    [t.reason, reason_type === null ? null : nameOf(t.reasons, reason_type)],
    [t.note, explained.note],
    [t.who, explained.actor],
    [t.object, object],
    [t.action, explained.action],
  ] as const; // cast: as const keeps the pairs pairs
  return (
    <Facts
      items={[
        [
          t.time,
          <time key="time" dateTime={explained.allotted_at}>
            {format.exact(explained.allotted_at)}
          </time>,
        ],
        [t.customer, <CopyId key="customer" value={customer.id} label={<CustomerLink customer={customer} />} />],
        ...(order_id === null
          ? []
          : [[t.order(""), <OrderLink key="order" id={order_id} name={explained.order_name} />] as const]), // cast: a pair
        [t.before, <Points key="before" value={explained.balance_before} />],
        [t.after, <Points key="after" value={explained.balance_after} />],
        ...rows.filter(([, value]) => value !== null),
        [t.app, nameOf(names.apps, explained.app_reference)],
        [t.program, <ProgramLink key="program" version={explained.program_version} />],
        [t.id, <CopyId key="id" value={explained.uid} />],
        [t.sourceKey, <CopyId key="key" value={explained.source_key} />],
      ]}
    />
  );
}

function OrderLink({ id, name }: { id: string; name: string | null }) {
  return <PageLink to={`/orders/${encodeURIComponent(id)}`}>{name ?? id}</PageLink>;
}

function ProgramLink({ version }: { version: number }) {
  return <PageLink to={`/program/versions?open=${version}`}>{version}</PageLink>;
}
