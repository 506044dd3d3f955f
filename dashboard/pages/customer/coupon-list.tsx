import type { CouponRow } from "../../../src/admin/customers/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { Money } from "../../ui/values/money.tsx";
import { Points } from "../../ui/values/points.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { PartTable } from "./part-table.tsx";
import { words } from "./words.ts";

/** A customer's coupons. */
export function CouponList({ id }: { id: string }) {
  const t = useWords(words);
  return (
    <PartTable<CouponRow>
      id={id}
      part="coupons"
      caption={t.tabs.coupons}
      empty={t.noCoupons}
      rowKey={(row) => row.uid}
      columns={[
        {
          key: "code",
          onPhone: "first",
          header: t.coupon,
          isShort: true,
          render: (row) => <CopyId value={row.code} />,
        },
        { key: "state", onPhone: "second", header: t.state, render: (row) => <CouponState state={row.state} /> },
        {
          key: "cost",
          onPhone: "named",
          header: t.cost,
          align: "right",
          render: (row) => <Points value={row.point_value} />,
        },
        {
          key: "worth",
          onPhone: "first",
          header: t.worth,
          align: "right",
          render: (row) => <Money minor={row.currency_value} />,
        },
        { key: "issued", header: t.issued, render: (row) => <Time at={row.issued_at} /> },
        { key: "expires", onPhone: "named", header: t.expires, render: (row) => <Time at={row.expires_at} /> },
        { key: "used", onPhone: "named", header: t.usedBy, render: (row) => <UsedBy coupon={row} /> },
      ]}
    />
  );
}

function CouponState({ state }: { state: string }) {
  const t = useWords(words);
  const names: Readonly<Record<string, string>> = t.couponStates;
  return <StateBadge tone={state === "open" ? "good" : "neutral"}>{names[state] ?? state}</StateBadge>;
}

/** The order by its name; a node of the version before sends only its id. */
function UsedBy({ coupon: { used_by: id, used_by_name: name } }: { coupon: CouponRow }) {
  if (id === null) return "—";
  return <PageLink to={`/orders/${encodeURIComponent(id)}`}>{name ?? id}</PageLink>;
}
