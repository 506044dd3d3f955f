import { useQuery } from "@tanstack/react-query";
import type { LedgerTotals } from "../../../src/admin/ledger/schema.ts";
import { apiQuery } from "../../api/client.ts";
import { Points } from "../../ui/values/points.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./ledger.module.css";
import { type Filters, filtersOnly } from "./use-filters.ts";
import { words } from "./words.ts";

export function totalsQuery(filters: Filters) {
  const query = filtersOnly(filters);
  return {
    queryKey: ["ledger", "totals", query],
    queryFn: apiQuery<LedgerTotals>("/ledger/totals", query),
  };
}

/** Count and sums of everything that the filters match; hidden if there are too many rows to sum. */
export function Totals({ filters }: { filters: Filters }) {
  const t = useWords(words);
  const format = useFormat();
  const totals = useQuery(totalsQuery(filters));
  const sums = totals.data?.data;
  return (
    <div className={classes["totals"]}>
      {sums?.is_whole === true ? (
        <>
          <span>{t.total(format.number(sums.count))}</span>
          <span>
            {t.earned} <Points value={sums.earned} signed />
          </span>
          <span>
            {t.spent} <Points value={sums.spent} signed />
          </span>
        </>
      ) : null}
    </div>
  );
}
