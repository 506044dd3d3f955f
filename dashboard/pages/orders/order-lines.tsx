import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { Points } from "../../ui/values/points.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./order.module.css";
import { OrderMoney } from "./order-money.tsx";
import { words } from "./order-words.ts";
import { useRateText } from "./use-rate-text.ts";

type Line = OrderDetail["lines"][number];

/** Each line: the amount on which it earns, the rate, the points, or why there are none. */
export function OrderLines({ order }: { order: OrderDetail }) {
  const t = useWords(words);
  const columns = useLineColumns(order.rules?.currency ?? order.total?.currency ?? "", order.state === "test");
  return (
    <Section title={t.lines}>
      <DataTable
        columns={columns}
        rows={order.lines}
        rowKey={(line) => line.line_id}
        empty={<span className={classes["quiet"]}>{t.noLines}</span>}
        caption={t.lines}
      />
    </Section>
  );
}

function useLineColumns(currency: string, isTest: boolean): readonly Column<Line>[] {
  const t = useWords(words);
  const money = (
    key: "gross" | "discount" | "base",
    header: string,
    more: Partial<Column<Line>> = {},
  ): Column<Line> => ({
    ...more,
    key,
    header,
    align: "right",
    render: (line) => <OrderMoney value={currency === "" ? null : { minor: line[key], currency }} />,
  });
  return [
    { key: "item", onPhone: "first", header: t.item, render: (line) => <Item line={line} isTest={isTest} /> },
    { key: "quantity", onPhone: "named", header: t.quantity, align: "right", render: (line) => line.quantity },
    money("gross", t.price),
    money("discount", t.discount),
    money("base", t.base, { onPhone: "named" }),
    { key: "rate", onPhone: "second", header: t.rate, render: (line) => <LineRate line={line} /> },
    { key: "exact", header: t.exact, align: "right", render: (line) => line.points_exact },
    {
      key: "given",
      onPhone: "first",
      header: t.given,
      align: "right",
      render: (line) => <Points value={line.points_given} />,
    },
    {
      key: "taken",
      onPhone: "named",
      header: t.takenBack,
      align: "right",
      render: (line) => <Points value={line.points_taken} />,
    },
  ];
}

function Item({ line, isTest }: { line: Line; isTest: boolean }) {
  const t = useWords(words);
  const format = useFormat();
  const excluded: Readonly<Record<string, string>> = t.excluded;
  const part = Number(line.left);
  const left = line.left === "1" ? null : t.left(Number.isFinite(part) ? format.percent(part) : line.left);
  const rule = line.excluded_by === "live_order" && isTest ? "test_order" : line.excluded_by;
  const because = rule === null ? left : (excluded[rule] ?? rule);
  return (
    <span className={classes["product"]}>
      <span>{line.title}</span>
      {because === null ? null : <span className={classes["small"]}>{because}</span>}
      {line.tags.length === 0 ? null : <span className={classes["small"]}>{t.tagged(line.tags.join(", "))}</span>}
    </span>
  );
}

function LineRate({ line }: { line: Line }) {
  const t = useWords(words);
  const rateText = useRateText();
  if (line.rate === null) return <span className={classes["quiet"]}>—</span>;
  return (
    <>
      <span className={classes["nowrap"]}>{rateText(line.rate)}</span>{" "}
      {line.bonus === null ? null : <span className={classes["nowrap"]}>{t.plusBonus(rateText(line.bonus))}</span>}
    </>
  );
}
