import type { ReservationRow } from "../../../src/admin/customers/schema.ts";
import { Points } from "../../ui/values/points.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { PartTable } from "./part-table.tsx";
import { words } from "./words.ts";

/** Points of the customer that were held. */
export function ReservationList({ id }: { id: string }) {
  const t = useWords(words);
  const names: Readonly<Record<string, string>> = t.holdStates;
  return (
    <PartTable<ReservationRow>
      id={id}
      part="reservations"
      caption={t.tabs.reservations}
      empty={t.noReservations}
      rowKey={(row) => row.uid}
      columns={[
        { key: "since", onPhone: "second", header: t.heldAt, render: (row) => <Time at={row.held_at} /> },
        {
          key: "state",
          onPhone: "second",
          header: t.state,
          render: (row) => <StateBadge tone={row.state === "held" ? "warn" : "neutral"}>{names[row.state]}</StateBadge>,
        },
        {
          key: "points",
          onPhone: "first",
          header: t.heldPoints,
          align: "right",
          render: (row) => <Points value={row.point_value} />,
        },
        {
          key: "captured",
          onPhone: "named",
          header: t.captured,
          align: "right",
          render: (row) => <Points value={row.captured_points} />,
        },
        { key: "expires", onPhone: "named", header: t.expires, render: (row) => <Time at={row.expires_at} /> },
        { key: "by", onPhone: "first", header: t.by, render: (row) => row.app_reference },
      ]}
    />
  );
}
