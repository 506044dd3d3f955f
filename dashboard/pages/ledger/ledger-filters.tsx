import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { FilterText } from "../../ui/lists/filter-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { TypeFilter } from "./type-filter.tsx";
import { type Filters, isFiltered, NO_FILTERS } from "./use-filters.ts";
import { words } from "./words.ts";

interface LedgerFiltersProps {
  filters: Filters;
  onChange(change: Partial<Filters>): void;
  /** The refusal of the list, whose faults are shown under their fields. */
  error: unknown;
}

/** The filters of the ledger: the usual ones in one row, the others in a second one when it is opened or in use. */
export function LedgerFilters({ filters, onChange, error }: LedgerFiltersProps) {
  const t = useWords(words);
  const inUse = [filters.customer, filters.order, filters.source, filters.at_least, filters.at_most];
  const [isOpen, setIsOpen] = useState(inUse.some((value) => value !== ""));
  return (
    <>
      <FilterBar onClear={isFiltered(filters) ? () => onChange(NO_FILTERS) : null}>
        <TypeFilter value={filters.type} onChange={(type) => onChange({ type })} />
        <NativeSelect
          aria-label={t.direction}
          value={filters.direction}
          onChange={(event) => onChange({ direction: event.currentTarget.value })}
          data={[
            { value: "", label: t.both },
            { value: "earned", label: t.earned },
            { value: "spent", label: t.spent },
          ]}
        />
        <Typed name="from" label={t.from} type="date" {...{ filters, onChange, error }} />
        <Typed name="to" label={t.to} type="date" {...{ filters, onChange, error }} />
        <Button variant="subtle" color="gray" fw={400} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t.less : t.more}
        </Button>
      </FilterBar>
      {isOpen ? <MoreFilters {...{ filters, onChange, error }} /> : null}
    </>
  );
}

function MoreFilters(props: LedgerFiltersProps) {
  const t = useWords(words);
  return (
    <FilterBar>
      <Typed name="customer" label={t.customerFilter} width={200} {...props} />
      <Typed name="order" label={t.orderId} {...props} />
      <Typed name="source" label={t.exactSource} width={200} {...props} />
      <Typed name="at_least" label={t.atLeast} type="number" width={112} {...props} />
      <Typed name="at_most" label={t.atMost} type="number" width={112} {...props} />
    </FilterBar>
  );
}

interface TypedProps extends LedgerFiltersProps {
  name: keyof Filters;
  label: string;
  type?: "text" | "date" | "number";
  width?: number;
}

function Typed({ name, filters, onChange, error, ...field }: TypedProps) {
  return (
    <FilterText
      {...field}
      value={filters[name]}
      onChange={(value) => onChange({ [name]: value })}
      error={faultOf(error, name)}
    />
  );
}
