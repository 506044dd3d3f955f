import type { ShownStatement } from "../../../src/admin/customers/account-schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { DateText } from "../../ui/values/date-text.tsx";
import { Points } from "../../ui/values/points.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./statement.module.css";
import { statementWords } from "./statement-words.ts";

interface PartProps {
  statement: ShownStatement;
}

/** From the opening to the closing balance, by kind. */
export function StatementSummary({ statement }: PartProps) {
  const t = useWords(statementWords);
  const format = useFormat();
  const { opening, closing, lines, orders, from, until } = statement;
  return (
    <Section title={t.summary}>
      <dl className={classes["sums"]}>
        <dt>{t.opening(format.day(from))}</dt>
        <dd>
          <Points value={opening} />
        </dd>
        {lines.flatMap(({ kind, given, taken }) =>
          [given, taken]
            .filter((points) => points !== 0)
            .map((points) => [
              <dt key={`${kind}${points}`}>{nameOf(t.kinds, kind)}</dt>,
              <dd key={`${kind}${points}=`}>
                <Points value={points} signed />
              </dd>,
            ]),
        )}
        <dt className={classes["total"]}>{t.closing(format.day(until))}</dt>
        <dd className={classes["total"]}>
          <Points value={closing} />
        </dd>
      </dl>
      {orders === null || orders === 0 ? null : <p className={classes["quiet"]}>{t.orders(format.number(orders))}</p>}
    </Section>
  );
}

type Row = ShownStatement["movements"][number] | { readonly earlier: number; readonly points: number };

/** Every movement of the period; in a long period the newest ones, after the sum of the earlier ones. */
export function StatementMovements({ statement }: PartProps) {
  const t = useWords(statementWords);
  const { movements, earlier_count, earlier_points } = statement;
  const earlier = earlier_count === 0 ? [] : [{ earlier: earlier_count, points: earlier_points }];
  return (
    <Section title={t.movements}>
      <DataTable<Row>
        caption={t.movements}
        rows={[...earlier, ...movements]}
        rowKey={(row) => ("earlier" in row ? "earlier" : `${row.at}/${row.balance_after}`)}
        empty={t.none}
        columns={[
          {
            key: "date",
            onPhone: "second",
            header: t.date,
            isShort: true,
            render: (row) => ("earlier" in row ? "" : <DateText at={row.at} />),
          },
          { key: "what", onPhone: "first", header: t.what, render: (row) => <What row={row} /> },
          {
            key: "points",
            onPhone: "first",
            header: t.points,
            align: "right",
            render: (row) => <Points value={row.points} signed />,
          },
          {
            key: "balance",
            onPhone: "named",
            header: t.balance,
            align: "right",
            render: (row) => ("earlier" in row ? "" : <Points value={row.balance_after} />),
          },
        ]}
      />
    </Section>
  );
}

function What({ row }: { row: Row }) {
  const t = useWords(statementWords);
  const format = useFormat();
  if ("earlier" in row) return t.earlier(format.number(row.earlier));
  const order = row.order_name ?? row.order_id;
  return (
    <>
      {[nameOf(t.kinds, row.kind), order].filter((part) => part !== null).join(" ")}
      {row.titles.length === 0 ? null : <div className={classes["quiet"]}>{row.titles.join(" · ")}</div>}
    </>
  );
}

/** The next expiries without further activity, as of today. */
export function StatementExpiries({ statement }: PartProps) {
  const t = useWords(statementWords);
  const format = useFormat();
  const { expiries, later, today } = statement;
  const rows = [...expiries, ...(later === 0 ? [] : [{ expires_at: undefined, points: later }])];
  const title = t.expiries(format.day(today));
  return (
    <Section title={title}>
      <DataTable<{ expires_at: string | null | undefined; points: number }>
        caption={title}
        rows={rows}
        rowKey={(row) => String(row.expires_at)}
        empty={t.nothing}
        columns={[
          {
            key: "expires",
            header: t.expires,
            render: ({ expires_at }) => {
              if (expires_at === undefined) return t.later;
              return expires_at === null ? t.never : <DateText at={expires_at} />;
            },
          },
          { key: "points", header: t.points, align: "right", render: (row) => <Points value={row.points} /> },
        ]}
      />
    </Section>
  );
}
