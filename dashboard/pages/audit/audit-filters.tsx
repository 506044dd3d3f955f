import { Button, NativeSelect } from "@mantine/core";
import { FilterBar } from "../../ui/lists/filter-bar.tsx";
import { FilterText } from "../../ui/lists/filter-text.tsx";
import { writeSearch } from "../../ui/urls/address.ts";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import { actionText, subjectText } from "./action-words.ts";
import { type AuditFilter, NO_FILTER, useAuditChoices } from "./use-audit.ts";
import { words } from "./words.ts";

/** The name of a choice while the choices are not read: it may be known or not. */
const UNREAD = "…";

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange(change: Partial<AuditFilter>): void;
}

/** Filters of the log by actor, subject and days of the store. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const t = useWords(words);
  const { language } = useLanguage();
  const about = t.about(subjectText(filter.subject_kind, language), filter.subject_id);
  const isFiltered = writeSearch({ ...filter, after: "" }) !== "";
  return (
    <FilterBar onClear={isFiltered ? () => onChange(NO_FILTER) : null}>
      <ActorSelect filter={filter} onChange={onChange} />
      <ActionSelect filter={filter} onChange={onChange} />
      <FilterText type="date" label={t.from} value={filter.from} onChange={(from) => onChange({ from })} />
      <FilterText type="date" label={t.to} value={filter.to} onChange={(to) => onChange({ to })} />
      {filter.subject_kind === "" ? null : (
        <Button variant="default" onClick={() => onChange({ subject_kind: "", subject_id: "" })}>
          {about} ×
        </Button>
      )}
    </FilterBar>
  );
}

function ActorSelect({ filter, onChange }: AuditFiltersProps) {
  const t = useWords(words);
  const { data } = useAuditChoices();
  const people = (data?.actors ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = filter.actor === "" || people.some(({ value }) => value === filter.actor);
  const kinds = [
    { value: "command", label: t.allCommands },
    { value: "system", label: t.theService },
  ];
  const isKind = kinds.some(({ value }) => value === filter.actor);
  const other = isKnown || isKind ? [] : [{ value: filter.actor, label: data === undefined ? UNREAD : t.unknown }];
  return (
    <NativeSelect
      aria-label={t.actor}
      data={[{ value: "", label: t.everyone }, ...people, ...kinds, ...other]}
      value={filter.actor}
      onChange={(event) => onChange({ actor: event.currentTarget.value })}
    />
  );
}

function ActionSelect({ filter, onChange }: AuditFiltersProps) {
  const t = useWords(words);
  const { language } = useLanguage();
  const { data } = useAuditChoices();
  const actions = data?.actions ?? [];
  const choices = actions.map((value) => ({ value, label: actionText(value, language) }));
  const named = actionText(filter.action, language);
  const other = { value: filter.action, label: named === filter.action ? t.unknown : named };
  const isKnown = filter.action === "" || actions.includes(filter.action);
  return (
    <NativeSelect
      aria-label={t.action}
      data={[{ value: "", label: t.everything }, ...choices, ...(isKnown ? [] : [other])]}
      value={filter.action}
      onChange={(event) => onChange({ action: event.currentTarget.value })}
    />
  );
}
