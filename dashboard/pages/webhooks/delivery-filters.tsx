import { NativeSelect } from "@mantine/core";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { FilterText } from "../../ui/lists/filter-text.tsx";
import { useTopicName } from "../../words/topic-name.ts";
import { useWords } from "../../words/use-words.ts";
import { type DeliveryFilter, filterSearch, NO_FILTER, useReceivers } from "./use-webhooks.ts";
import { words } from "./words.ts";

interface DeliveryFiltersProps {
  filter: DeliveryFilter;
  onChange(change: Partial<DeliveryFilter>): void;
  error: unknown;
}

const STATES = ["all", "waiting", "failed", "done"] as const;

/** Filters of deliveries by state, topic, and days of the store. */
export function DeliveryFilters({ filter, onChange, error }: DeliveryFiltersProps) {
  const t = useWords(words);
  const nameOf = useTopicName();
  const topics = useReceivers().data?.map(({ topic }) => topic) ?? [];
  const choices = topics.map((value) => ({ value, label: nameOf(value) }));
  const named = nameOf(filter.topic);
  const other = { value: filter.topic, label: named === filter.topic ? t.unknownTopic : named };
  const isListed = filter.topic === "" || topics.includes(filter.topic);
  const isFiltered = filterSearch({ ...filter, after: "" }) !== "";
  return (
    <FilterBar onClear={isFiltered ? () => onChange(NO_FILTER) : null}>
      <NativeSelect
        aria-label={t.state}
        data={STATES.map((value) => ({ value, label: t.states[value] }))}
        value={filter.state}
        onChange={(event) => onChange({ state: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={t.topic}
        data={[{ value: "", label: t.everyTopic }, ...choices, ...(isListed ? [] : [other])]}
        value={filter.topic}
        onChange={(event) => onChange({ topic: event.currentTarget.value })}
      />
      <FilterText
        type="date"
        label={t.from}
        value={filter.since}
        onChange={(since) => onChange({ since })}
        error={faultOf(error, "since")}
      />
      <FilterText
        type="date"
        label={t.to}
        value={filter.until}
        onChange={(until) => onChange({ until })}
        error={faultOf(error, "until")}
      />
    </FilterBar>
  );
}
