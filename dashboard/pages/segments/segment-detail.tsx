import { Button, Skeleton } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SegmentCustomer, SegmentCustomersAnswer, SegmentRow } from "../../../src/admin/segments/schema.ts";
import { apiGet, apiSend, apiUrl } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { BulkPanel } from "../../ui/lists/bulk-panel.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { SelectedCustomers } from "../../ui/lists/selected-customers.tsx";
import { useSelection } from "../../ui/lists/use-selection.ts";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { useNavigateWhileShown } from "../../ui/urls/use-navigate-while-shown.ts";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { Facts } from "../../ui/values/facts.tsx";
import { Points } from "../../ui/values/points.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { draftOf } from "./filter-draft.ts";
import { FilterText } from "./filter-text.tsx";
import { SegmentForm } from "./segment-form.tsx";
import { Count } from "./segment-list.tsx";
import classes from "./segments.module.css";
import { useSegmentChange, useSegments } from "./use-segments.ts";
import { words } from "./words.ts";

const NOTHING_ASKED = { panel: "", after: "" };

/** One segment: its customers, and the actions on all of them. */
export function SegmentDetail({ uid }: { uid: string }) {
  const t = useWords(words);
  const { data, error, refetch } = useSegments();
  const segment = data?.data.find((one) => one.uid === uid);
  if (segment !== undefined) return <SegmentParts key={uid} segment={segment} tiers={data?.tiers ?? []} />;
  return (
    <Page title={t.title} back={{ to: "/segments", label: t.title }}>
      {error === null && data === undefined ? <Skeleton height={320} /> : null}
      {error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined ? null : <EmptyState title={t.gone} />}
    </Page>
  );
}

interface SegmentPartsProps {
  segment: SegmentRow;
  tiers: readonly { uid: string; name: string }[];
}

function SegmentParts({ segment, tiers }: SegmentPartsProps) {
  const t = useWords(words);
  const format = useFormat();
  const { store, can } = useSession();
  const digits = store.currency_digits;
  const [asked, ask] = useUrlState(NOTHING_ASKED);
  const [selection, select] = useSelection();
  const path = `/segments/${segment.uid}`;
  const list = useQuery({
    queryKey: ["segments", "customers", segment.uid, segment.counted_at, asked.after],
    queryFn: ({ signal }) => apiGet<SegmentCustomersAnswer>(`${path}/customers`, { after: asked.after }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={segment.name} back={{ to: "/segments", label: t.title }}>
      <Facts
        items={[
          [t.filter, <FilterText key="filter" filter={segment.filter} tiers={tiers} />],
          [t.customers, <Count key="count" segment={segment} />],
          [
            t.counted,
            segment.progress === null ? (
              <Time key="at" at={segment.counted_at} />
            ) : (
              t.counting(format.percent(segment.progress))
            ),
          ],
        ]}
      />
      {selection === null ? <Actions segment={segment} onPanel={(panel) => ask({ panel })} onSelect={select} /> : null}
      <SelectedCustomers
        {...{ selection, tiers }}
        shown={list.isPlaceholderData ? null : (list.data?.data ?? []).map(({ id }) => id)}
        closeTo={`${path}${writeSearch({ after: asked.after })}`}
      />
      <PagedTable
        caption={t.customers}
        list={list}
        after={asked.after}
        onAfter={(after) => ask({ after })}
        columns={useColumns()}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/customers/${encodeURIComponent(id)}`}
        selection={selection === null ? undefined : { ...selection, idOf: ({ id }) => id }}
        empty={<EmptyState title={segment.customers === null ? t.notCounted : t.noMembers} />}
      />
      {asked.panel === "edit" && can("segments.change") ? (
        <SegmentForm segment={segment} draft={draftOf(segment.filter, digits)} tiers={tiers} closeTo={path} />
      ) : null}
      {(asked.panel === "points" || asked.panel === "tier") && can("imports.run") ? (
        <BulkPanel kind={asked.panel} source={{ segment: segment.uid }} tiers={tiers} closeTo={path} />
      ) : null}
    </Page>
  );
}

interface ActionsProps {
  segment: SegmentRow;
  onPanel(panel: string): void;
  onSelect(): void;
}

function Actions({ segment, onPanel, onSelect }: ActionsProps) {
  const t = useWords(words);
  const { can } = useSession();
  const go = useNavigateWhileShown();
  const [isDeleting, setDeleting] = useState(false);
  const path = `/segments/${segment.uid}`;
  const count = useSegmentChange(
    () => apiSend("POST", `${path}/count`, {}),
    () => undefined,
  );
  const remove = useSegmentChange(
    () => apiSend("DELETE", path),
    () => {
      notifyDone(t.removed);
      go("/segments");
    },
  );
  const isEmpty = segment.customers === null || segment.customers === 0;
  return (
    <div className={classes["actions"]}>
      {can("imports.run") ? (
        <>
          <Button disabled={isEmpty} onClick={() => onPanel("points")}>
            {t.givePoints}
          </Button>
          <Button variant="default" disabled={isEmpty} onClick={() => onPanel("tier")}>
            {t.setTier}
          </Button>
          <Button variant="default" disabled={isEmpty} onClick={onSelect}>
            {t.select}
          </Button>
        </>
      ) : null}
      {can("lists.export") && segment.customers !== null ? (
        <Button variant="default" component="a" href={apiUrl(`${path}/customers.csv`)} download>
          {t.export}
        </Button>
      ) : null}
      {can("segments.change") ? (
        <>
          <Button
            variant="default"
            disabled={segment.progress !== null}
            onClick={() => count.mutate(undefined, { onError: notifyFailed })}
          >
            {t.countAgain}
          </Button>
          <Button variant="default" onClick={() => onPanel("edit")}>
            {t.edit}
          </Button>
          <Button variant="default" onClick={() => setDeleting(true)}>
            {t.remove}
          </Button>
        </>
      ) : null}
      <ConfirmDialog
        opened={isDeleting}
        title={t.removeTitle}
        confirm={t.remove}
        tone="bad"
        isBusy={remove.isPending}
        onClose={() => setDeleting(false)}
        onConfirm={() => remove.mutate(undefined, { onError: notifyFailed })}
      >
        {t.removeText}
      </ConfirmDialog>
    </div>
  );
}

function useColumns(): Column<SegmentCustomer>[] {
  const t = useWords(words);
  const format = useFormat();
  return [
    {
      key: "name",
      onPhone: "first",
      header: t.member,
      isName: true,
      render: ({ name, email, id }) => name ?? email ?? id,
    },
    {
      key: "points",
      onPhone: "first",
      header: t.balance,
      align: "right",
      render: ({ points }) => <Points value={points} />,
    },
    {
      key: "orders",
      onPhone: "named",
      header: t.orders,
      align: "right",
      render: ({ orders }) => format.number(orders),
    },
    { key: "spend", header: t.spend, align: "right", render: ({ spend_minor }) => format.money(spend_minor) },
    { key: "tier", onPhone: "second", header: t.tier, render: ({ tier }) => tier ?? "—" },
    { key: "last", onPhone: "named", header: t.lastOrder, render: ({ last_order_at }) => <Time at={last_order_at} /> },
  ];
}
