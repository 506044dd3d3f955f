import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ListedBenefitRow, ListedBenefitsAnswer } from "../../../src/admin/results/schema.ts";
import type { BenefitKind } from "../../../src/wire/benefits.ts";
import { apiGet } from "../../api/client.ts";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { ExportButton } from "../../ui/lists/export-button.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { CustomerLink } from "../../ui/values/customer-link.tsx";
import { DateText } from "../../ui/values/date-text.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./results.module.css";
import { words } from "./words.ts";

/** The rows that a figure counts. */
const LISTS = ["all", "used", "ordered"] as const;
export type BenefitList = (typeof LISTS)[number];

interface BenefitListPanelProps {
  kind: BenefitKind;
  /** One of `LISTS`, from the address. */
  list: string;
  /** An empty text: the last 12 months. */
  month: string;
  after: string;
  closeTo: string;
  onAfter(after: string): void;
}

/** The coupons or rewards that a figure counts, each with its customer and its effect. */
export function BenefitListPanel({ kind, list: asked, month, after, closeTo, onAfter }: BenefitListPanelProps) {
  const t = useWords(words);
  const format = useFormat();
  const chosen = LISTS.find((one) => one === asked) ?? "all";
  const query = {
    kind,
    ...(month === "" ? {} : { month }),
    ...(chosen === "all" ? {} : { outcome: chosen }),
    ...(after === "" ? {} : { after }),
  };
  const list = useQuery({
    queryKey: ["results", "benefit-list", query],
    queryFn: ({ signal }) => apiGet<ListedBenefitsAnswer>("/results/benefits/list", query, signal),
    placeholderData: keepPreviousData,
  });
  const figure =
    chosen === "all" ? (kind === "coupon" ? t.taken : t.given) : chosen === "used" ? t.used : t.broughtBack;
  const period = month === "" ? t.twelveMonths : format.month(month);
  return (
    <SidePanel title={[t.benefits[kind], figure, period].join(" · ")} closeTo={closeTo}>
      <div className={classes["listHead"]}>
        <ExportButton path="/results/benefits/list.csv" filters={query} isOpened={false} />
      </div>
      <PagedTable
        caption={t.benefitRows}
        columns={useColumns(kind === "coupon")}
        list={list}
        rowKey={({ uid }) => uid}
        empty={t.nobody}
        after={after}
        onAfter={onAfter}
      />
    </SidePanel>
  );
}

function useColumns(isCoupon: boolean): Column<ListedBenefitRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const used: Column<ListedBenefitRow> = {
    key: "used",
    onPhone: "named",
    header: t.used,
    render: ({ is_used }) => (is_used ? t.yes : t.no),
  };
  return [
    {
      key: "customer",
      isName: true,
      onPhone: "first",
      header: t.customer,
      render: ({ customer }) => (customer === null ? "—" : <CustomerLink customer={customer} />),
    },
    {
      key: "at",
      onPhone: "second",
      header: isCoupon ? t.takenOn : t.givenOn,
      render: ({ at }) => <DateText at={at} />,
    },
    {
      key: "points",
      onPhone: "first",
      header: t.points,
      align: "right",
      render: ({ points }) => format.points(points),
    },
    ...(isCoupon ? [used] : []),
    {
      key: "ordered",
      onPhone: "named",
      header: t.broughtBack,
      render: ({ has_order }) => (has_order === null ? t.notYet : has_order ? t.yes : t.no),
    },
  ];
}
