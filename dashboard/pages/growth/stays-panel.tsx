import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { StayRow, StaysAnswer, TiersOverTimeAnswer } from "../../../src/admin/growth/schema.ts";
import { apiGet } from "../../api/client.ts";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { ExportButton } from "../../ui/lists/export-button.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { Choices } from "./choices.tsx";
import classes from "./growth.module.css";
import { keptPath, NO_LIST_PATH, NO_STAYS } from "./tier-addresses.ts";
import { words } from "./words.ts";

/** The members who were in a tier at the end of a month, or kept one in it, if the address says so. */
export function StaysPanel({ figures }: { figures: TiersOverTimeAnswer | undefined }) {
  const [asked, ask] = useUrlState(NO_STAYS);
  if (asked.stays === "") return null;
  return <Stays asked={asked} figures={figures} onAfter={(after) => ask({ after })} />;
}

interface StaysProps {
  asked: typeof NO_STAYS;
  /** undefined while they are read. */
  figures: TiersOverTimeAnswer | undefined;
  onAfter(after: string): void;
}

function Stays({ asked, figures, onAfter }: StaysProps) {
  const t = useWords(words);
  const format = useFormat();
  const { stays: month, tier, after } = asked;
  const figure = asked.figure === "kept" ? "kept" : "members";
  const filters = { month, figure, ...(tier === "" ? {} : { tier }) };
  const query = after === "" ? filters : { ...filters, after };
  const list = useQuery({
    queryKey: ["growth", "stays", query],
    queryFn: ({ signal }) => apiGet<StaysAnswer>("/growth/stays", query, signal),
    placeholderData: keepPreviousData,
  });
  const name = figures?.tiers.find(({ uid }) => uid === tier)?.name;
  const of = figure === "kept" ? t.moves.kept : (name ?? t.members);
  return (
    <SidePanel title={t.nameOf(of, format.month(month))} closeTo={NO_LIST_PATH}>
      <div className={classes["listHead"]}>
        <div className={classes["listAbout"]}>
          <p className={classes["hint"]}>{figure === "kept" ? t.keptAbout : t.staysAbout}</p>
          {figure === "kept" && figures !== undefined ? (
            <KeptTiers month={month} tier={tier} figures={figures} />
          ) : null}
        </div>
        <ExportButton path="/growth/stays.csv" filters={filters} isOpened={false} />
      </div>
      <PagedTable
        caption={t.staysList}
        columns={useColumns()}
        list={list}
        rowKey={({ customer }) => customer.id}
        empty={t.nobodyStayed}
        after={after}
        onAfter={onAfter}
      />
    </SidePanel>
  );
}

/** The tiers that the figure of a month consists of. */
function KeptTiers({ month, tier, figures }: { month: string; tier: string; figures: TiersOverTimeAnswer }) {
  const t = useWords(words);
  const row = figures.data.find((one) => one.month === month);
  const kept = figures.tiers
    .map(({ uid, name }, place) => ({ uid, name, customers: row?.kept_by_tier[place] ?? 0 }))
    .filter(({ customers }) => customers > 0);
  if (row === undefined || kept.length < 2) return null;
  const all = { key: "all", to: keptPath(month), name: t.allMoves, customers: row.kept, isChosen: tier === "" };
  const choices = kept.map(({ uid, name, customers }) => ({
    key: uid,
    to: `${keptPath(month)}&${new URLSearchParams({ tier: uid })}`,
    name,
    customers,
    isChosen: tier === uid,
  }));
  return <Choices label={t.keptTiers} choices={[all, ...choices]} />;
}

function useColumns(): Column<StayRow>[] {
  const t = useWords(words);
  const format = useFormat();
  return [
    {
      key: "customer",
      isName: true,
      onPhone: "first",
      header: t.member,
      render: ({ customer }) => <CustomerLink customer={customer} />,
    },
    { key: "tier", onPhone: "second", header: t.tier, render: ({ tier }) => tier },
    { key: "since", onPhone: "named", header: t.since, isShort: true, render: ({ since }) => format.month(since) },
    { key: "now", onPhone: "named", header: t.tierNow, render: ({ now }) => now },
  ];
}
