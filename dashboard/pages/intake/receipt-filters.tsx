import { NativeSelect } from "@mantine/core";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { FilterText } from "../../ui/lists/filter-text.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { useReceiptWords } from "../../words/receipt-words.ts";
import { useWords } from "../../words/use-words.ts";
import { NO_FILTER, type ReceiptFilter, useSummary } from "./use-intake.ts";
import { words } from "./words.ts";

interface ReceiptFiltersProps {
  filter: ReceiptFilter;
  onChange(change: Partial<ReceiptFilter>): void;
}

const COUNTED = ["failed", "quarantined", "waiting", "new"] as const;

/** Filters of receipts by state, each with its count, by topic and by subject. */
export function ReceiptFilters({ filter, onChange }: ReceiptFiltersProps) {
  const t = useWords(words);
  const say = useReceiptWords();
  const { data } = useSummary();
  const topics = data?.topics ?? [];
  const known = filter.topic === "" || topics.includes(filter.topic) ? topics : [...topics, filter.topic];
  const isFiltered = writeSearch({ ...filter, after: "" }) !== "";
  return (
    <FilterBar onClear={isFiltered ? () => onChange(NO_FILTER) : null}>
      <NativeSelect
        aria-label={t.state}
        data={useStates()}
        value={filter.state}
        onChange={(event) => onChange({ state: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={t.topic}
        data={[{ value: "", label: t.everyTopic }, ...known.map((value) => ({ value, label: say.topic(value) }))]}
        value={filter.topic}
        onChange={(event) => onChange({ topic: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={t.warned}
        data={[
          { value: "", label: t.withOrWithout },
          { value: "yes", label: t.warned },
        ]}
        value={filter.warned}
        onChange={(event) => onChange({ warned: event.currentTarget.value })}
      />
      <FilterText
        label={t.subjectFilter}
        value={filter.subject}
        onChange={(subject) => onChange({ subject })}
        width={200}
      />
    </FilterBar>
  );
}

function useStates(): { value: string; label: string }[] {
  const t = useWords(words);
  const format = useFormat();
  const { data } = useSummary();
  const counted = COUNTED.map((value) => {
    if (data === undefined) return { value, label: t.states[value] };
    const more = data[value] >= data.counted_to ? "+" : "";
    return { value, label: t.counted(t.states[value], `${format.number(data[value])}${more}`) };
  });
  return [{ value: "", label: t.everyState }, ...counted, { value: "done", label: t.states.done }];
}
