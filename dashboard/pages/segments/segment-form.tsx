import { Button, Checkbox, Group, NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { FilterBody, PreviewAnswer, SegmentRow } from "../../../src/admin/segments/schema.ts";
import { apiAsk } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { Section } from "../../ui/layout/section.tsx";
import { SidePanel } from "../../ui/layout/side-panel.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { RequestFault } from "../../ui/states/request-fault.tsx";
import { ShowStored } from "../../ui/states/show-stored.tsx";
import { useNavigateWhileShown } from "../../ui/urls/use-navigate-while-shown.ts";
import { MONTH_NUMBERS } from "../../ui/values/format.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { words as uiWords } from "../../ui/words.ts";
import { useWords } from "../../words/use-words.ts";
import { type FilterDraft, filterOf, tiersOf } from "./filter-draft.ts";
import { languageCodes, useLanguageName } from "./language-name.ts";
import classes from "./segments.module.css";
import { type Tiers, tierChoices } from "./tier-choices.ts";
import { saveSegment, useSegmentChange } from "./use-segments.ts";
import { words } from "./words.ts";

interface SegmentFormProps {
  /** Null: a new one. */
  segment: SegmentRow | null;
  /** The suggested name of a new one. */
  name?: string;
  draft: FilterDraft;
  /** Null until they are read. */
  tiers: Tiers | null;
  closeTo: string;
}

/** The name and the conditions of a segment; the number of matches can be requested before it is saved. */
export function SegmentForm({ segment, name: proposed = "", draft: first, tiers, closeTo }: SegmentFormProps) {
  const t = useWords(words);
  const go = useNavigateWhileShown();
  const digits = useSession().store.currency_digits;
  const [name, setName] = useState(segment?.name ?? proposed);
  const [draft, setDraft] = useState(first);
  const [seen, setSeen] = useState(segment);
  const [shown, setShown] = useState({ name, draft });
  const filter = filterOf(draft, digits, seen?.filter);
  const save = useSegmentChange(
    () =>
      saveSegment(segment?.uid ?? null, {
        name: name.trim(),
        filter,
        ...(seen === null ? {} : { revision: seen.revision }),
      }),
    ({ data }) => {
      notifyDone(t.saved);
      go(`/segments/${data.uid}`);
    },
  );
  const showStored = () => {
    const stored = { name: segment?.name ?? "", draft: first };
    setName(stored.name);
    setDraft(stored.draft);
    setShown(stored);
    setSeen(segment);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const isChanged = JSON.stringify({ name, draft }) !== JSON.stringify(shown);
  const title = segment === null ? t.newSegment : t.editSegment;
  return (
    <SidePanel title={title} closeTo={closeTo} isForm isChanged={isChanged}>
      <form className={classes["form"]} onSubmit={submit}>
        <TextInput
          label={t.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={255}
          required
          data-autofocus
          error={faultOf(save.error, "/name")}
        />
        <Fields
          draft={draft}
          tiers={tiers}
          error={save.error}
          onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
        />
        <RequestFault error={save.error} />
        <TryIt filter={filter} />
        <Group gap={8}>
          <Button type="submit" loading={save.isPending}>
            {t.save}
          </Button>
          <ShowStored error={save.error} isRead={segment?.revision !== seen?.revision} onShow={showStored} />
        </Group>
      </form>
    </SidePanel>
  );
}

interface FieldsProps {
  draft: FilterDraft;
  tiers: SegmentFormProps["tiers"];
  error: unknown;
  onChange(part: Partial<FilterDraft>): void;
}

function Fields({ draft, tiers, error, onChange }: FieldsProps) {
  const t = useWords(words);
  const text = (name: keyof FilterBody, description?: string) => (
    <TextInput
      key={name}
      label={t.fields[name]}
      {...(description === undefined ? {} : { description })}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      error={faultOf(error, `/filter/${name}`)}
    />
  );
  const month = (name: keyof FilterBody) => (
    <TextInput
      key={name}
      type="month"
      placeholder="2026-03"
      label={t.fields[name]}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      error={faultOf(error, `/filter/${name}`)}
    />
  );
  const choice = (
    name: keyof FilterBody,
    options: readonly (readonly [value: string, label: string])[],
    hint?: string,
  ) => (
    <NativeSelect
      key={name}
      label={t.fields[name]}
      {...(hint === undefined ? {} : { description: hint })}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    >
      <option value="">{t.any}</option>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </NativeSelect>
  );
  const languageName = useLanguageName();
  const { monthName } = useFormat();
  const yesNo = [
    ["true", t.yes],
    ["false", t.no],
  ] as const;
  return (
    <>
      <Section title={t.spendSection}>
        <div className={classes["fields"]}>
          {(["spend_min", "spend_max", "orders_min", "orders_max"] as const).map((name) => text(name))}
          {text("ordered_within_days")}
          {text("not_ordered_for_days")}
          {choice("activity", Object.entries(t.activities), t.activityHint)}
          {month("first_ordered_month")}
          {month("lapsed_month")}
        </div>
      </Section>
      <Section title={t.pointsSection}>
        <div className={classes["fields"]}>
          {text("active_within_days", t.activeHint)}
          {text("points_min")}
          {text("points_max")}
          {text("expiring_within_months", t.monthsHint)}
        </div>
        <TierFields {...{ draft, tiers, error, onChange }} />
      </Section>
      <Section title={t.profileSection}>
        <div className={classes["fields"]}>
          {text("tags", t.tagsHint)}
          {text("without_tags", t.tagsHint)}
          {choice(
            "birthday_month",
            MONTH_NUMBERS.map((month) => [String(month), monthName(month)]),
          )}
          {choice("accepts_marketing", yesNo)}
          {choice(
            "language",
            languageCodes(draft.language).map((code) => [code, languageName(code)]),
          )}
          {text("joined_within_days")}
          {month("joined_month")}
        </div>
      </Section>
    </>
  );
}

/** The tiers of which a customer has one; without a choice, any or none. */
function TierFields({ draft, tiers, error, onChange }: FieldsProps) {
  const t = useWords(words);
  const { removedTier } = useWords(uiWords);
  const chosen = tiersOf(draft);
  const choices = tierChoices(tiers, chosen, removedTier);
  if (choices.length === 0) return null;
  return (
    <Checkbox.Group
      label={t.fields.tiers}
      description={t.tiersHint}
      value={chosen}
      onChange={(uids) => onChange({ tiers: uids.join(", ") })}
      error={faultOf(error, "/filter/tiers")}
      mt={12}
    >
      <Group gap="8px 16px" mt={8}>
        {choices.map(([uid, name]) => (
          <Checkbox key={uid} value={uid} label={name} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

/** The present number of matches, before the segment is saved. */
function TryIt({ filter }: { filter: FilterBody }) {
  const t = useWords(words);
  const format = useFormat();
  const asked = JSON.stringify(filter);
  const preview = useMutation({
    mutationFn: async () => {
      const { data } = await apiAsk<PreviewAnswer>("/segments/preview", { filter });
      return { ...data, asked };
    },
  });
  const found = preview.data?.asked === asked ? preview.data : undefined;
  return (
    <div className={classes["try"]}>
      <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate()}>
        {t.try}
      </Button>
      <span role="status">
        {found === undefined ? null : (found.is_exact ? t.exactly : t.about)(format.number(found.customers))}
      </span>
      <RequestFault error={preview.error} />
    </div>
  );
}
