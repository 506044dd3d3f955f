import type { ShownAccount } from "../../../src/admin/customers/account-schema.ts";
import { Collapsible } from "../../ui/layout/collapsible.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { DateText } from "../../ui/values/date-text.tsx";
import { Points } from "../../ui/values/points.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { accountWords } from "./account-words.ts";
import classes from "./customer.module.css";

type AccountLot = ShownAccount["lots"][number];

/** The lots of a balance, each with its source. */
export function AccountLots({ account }: { account: ShownAccount }) {
  const t = useWords(accountWords);
  const format = useFormat();
  const { lots, lot_count } = account;
  return (
    <Collapsible title={t.lots(format.number(lot_count))}>
      <DataTable
        caption={t.lots(format.number(lot_count))}
        rows={lots}
        rowKey={(row) => `${row.uid}/${row.expires_at}/${row.remaining}`}
        empty={t.noLots}
        columns={[
          { key: "from", header: t.from, render: (row) => <Source lot={row} /> },
          { key: "left", header: t.left, align: "right", render: (row) => <Left lot={row} /> },
          {
            key: "expires",
            header: t.expires,
            render: (row) => (row.expires_at === null ? t.never : <DateText at={row.expires_at} />),
          },
        ]}
      />
      {lot_count > lots.length ? (
        <p className={classes["quiet"]}>{t.lotsShown(format.number(lots.length), format.number(lot_count))}</p>
      ) : null}
    </Collapsible>
  );
}

function Source({ lot }: { lot: AccountLot }) {
  const t = useWords(accountWords);
  return (
    <>
      {lot.order_id === null ? (
        nameOf(t.kinds, lot.kind ?? "")
      ) : (
        <PageLink to={`/orders/${encodeURIComponent(lot.order_id)}`}>{lot.order_name ?? lot.order_id}</PageLink>
      )}
      {lot.line_title === null ? null : ` ${lot.line_title}`}
      {lot.allotted_at === null ? null : (
        <div className={classes["quiet"]}>
          <DateText at={lot.allotted_at} />
        </div>
      )}
    </>
  );
}

function Left({ lot }: { lot: AccountLot }) {
  const t = useWords(accountWords);
  const format = useFormat();
  const isPart = lot.point_value !== null && lot.point_value !== lot.remaining;
  return (
    <>
      <Points value={lot.remaining} />
      {isPart && lot.point_value !== null ? (
        <div className={classes["quiet"]}>{t.of(format.points(lot.point_value))}</div>
      ) : null}
    </>
  );
}
