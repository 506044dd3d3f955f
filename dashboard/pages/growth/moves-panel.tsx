import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { MovedCustomerRow, MovesAnswer } from "../../../src/admin/growth/schema.ts";
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
import { type Direction, movesPath, NO_LIST_PATH, NO_MOVES } from "./tier-addresses.ts";
import { words } from "./words.ts";

/** The members who moved between tiers in a month, if the address says so. */
export function MovesPanel() {
  const [asked, ask] = useUrlState(NO_MOVES);
  if (asked.month === "") return null;
  return <Moves asked={asked} onAfter={(after) => ask({ after })} />;
}

function Moves({ asked, onAfter }: { asked: typeof NO_MOVES; onAfter(after: string): void }) {
  const t = useWords(words);
  const format = useFormat();
  const { month, after } = asked;
  const direction = asked.direction === "down" ? "down" : "up";
  const query = Object.fromEntries(Object.entries({ ...asked, direction }).filter(([, value]) => value !== ""));
  const list = useQuery({
    queryKey: ["growth", "moves", query],
    queryFn: ({ signal }) => apiGet<MovesAnswer>("/growth/moves", query, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <SidePanel title={t.nameOf(t.moves[direction], format.month(month))} closeTo={NO_LIST_PATH}>
      <div className={classes["listHead"]}>
        <Pairs asked={{ ...asked, direction }} pairs={list.data?.pairs ?? []} />
        <ExportButton path="/growth/moves.csv" filters={query} isOpened={false} />
      </div>
      <PagedTable
        caption={t.movedList}
        columns={useColumns()}
        list={list}
        rowKey={({ customer }) => customer.id}
        empty={t.nobodyMoved}
        after={after}
        onAfter={onAfter}
      />
    </SidePanel>
  );
}

/** The pairs of tiers that the figure consists of; each filters the list. */
function Pairs({ asked, pairs }: { asked: typeof NO_MOVES & { direction: Direction }; pairs: MovesAnswer["pairs"] }) {
  const t = useWords(words);
  const base = movesPath(asked.month, asked.direction);
  const all = pairs.reduce((sum, { customers }) => sum + customers, 0);
  if (pairs.length < 2) return null;
  const choices = [
    { key: "all", to: base, name: t.allMoves, customers: all, isChosen: asked.from === "" },
    ...pairs.map(({ from, to, from_uid, to_uid, customers }) => ({
      key: `${from_uid} ${to_uid}`,
      to: `${base}&${new URLSearchParams({ from: from_uid, to: to_uid })}`,
      name: t.fromTo(from ?? t.newMember, to),
      customers,
      isChosen: asked.from === from_uid && asked.to === to_uid,
    })),
  ];
  return <Choices label={t.movesBetween} choices={choices} />;
}

function useColumns(): Column<MovedCustomerRow>[] {
  const t = useWords(words);
  return [
    {
      key: "customer",
      isName: true,
      onPhone: "first",
      header: t.member,
      render: ({ customer }) => <CustomerLink customer={customer} />,
    },
    { key: "from", onPhone: "second", header: t.fromTier, render: ({ from }) => from ?? t.newMember },
    { key: "to", onPhone: "named", header: t.toTier, render: ({ to }) => to },
  ];
}
