import { ActionIcon, Button, TextInput } from "@mantine/core";
import { useEffect, useRef } from "react";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { Help } from "../../ui/forms/help.tsx";
import { CloseIcon, PlusIcon } from "../../ui/layout/icons.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { useWords } from "../../words/use-words.ts";
import { CalendarView } from "./calendar-view.tsx";
import { phaseOf, spanOf } from "./campaigns/campaigns.ts";
import type { Bonus } from "./document.ts";
import { useDraft } from "./draft/draft-context.ts";
import classes from "./program.module.css";
import { RateFields } from "./rate-fields.tsx";
import { TimeField } from "./time-field.tsx";
import { words } from "./words.ts";
import { toLocal } from "./zone-time.ts";

/** Used as the start and the end of a bonus that has none. */
const FIRST = "1970-01-01T00:00:00Z";
const LAST = "9999-12-01T00:00:00Z";

/** Collections whose goods earn more, without limit or for a time. */
export function BonusesTab() {
  const t = useWords(words);
  const { document, isEditable } = useDraft();
  const bonuses = document.earning.bonus_collections;
  const set = useSetBonuses();
  const add = () =>
    set([
      ...bonuses,
      { collection_id: "", name: null, point_value: 1, currency_value: null, starts_at: null, ends_at: null },
    ]);
  const action = isEditable ? (
    <Button variant="default" leftSection={<PlusIcon />} onClick={add} data-focus-name="add">
      {t.addBonus}
    </Button>
  ) : null;
  return (
    <Section title={t.tabs.bonuses} action={bonuses.length === 0 ? null : action}>
      {bonuses.length === 0 ? (
        <EmptyState title={t.noBonuses} hint={t.noBonusesHint} action={action} />
      ) : (
        <>
          <p className={classes["hint"]}>{t.noBonusesHint}</p>
          <BonusCalendar bonuses={bonuses} />
          <ol className={classes["list"]}>
            {bonuses.map((bonus, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two bonuses may be of one collection, and none has an id of its own
              <BonusEntry key={index} bonus={bonus} index={index} />
            ))}
          </ol>
        </>
      )}
    </Section>
  );
}

/** The bonuses with a start or an end. */
function BonusCalendar({ bonuses }: { bonuses: readonly Bonus[] }) {
  const { document, program } = useDraft();
  const zone = document.store.time_zone;
  const today = toLocal(program.now, zone).slice(0, 10);
  const [{ month }, setState] = useUrlState({ month: today.slice(0, 7) });
  const entries = bonuses.flatMap((bonus, index) => {
    if (bonus.starts_at === null && bonus.ends_at === null) return [];
    const time = { starts_at: bonus.starts_at ?? FIRST, ends_at: bonus.ends_at ?? LAST };
    const to = `/program/bonuses?month=${month}&open=${index}`;
    return [{ ...spanOf(time), name: bonus.name ?? bonus.collection_id, phase: phaseOf(time, program.now), to }];
  });
  if (entries.length === 0) return null;
  return (
    <CalendarView
      entries={entries}
      month={month}
      today={today}
      timeZone={zone}
      onMonth={(next) => setState({ month: next })}
    />
  );
}

/** Scrolls to the entry in the address. */
function useOpenEntry(index: number) {
  const entry = useRef<HTMLLIElement>(null);
  const [{ open }] = useUrlState({ open: "" });
  useEffect(() => {
    if (open === String(index)) entry.current?.scrollIntoView({ block: "nearest" });
  }, [open, index]);
  return entry;
}

function BonusEntry({ bonus, index }: { bonus: Bonus; index: number }) {
  const t = useWords(words);
  const { document, isEditable, refusal } = useDraft();
  const bonuses = document.earning.bonus_collections;
  const setAll = useSetBonuses();
  const set = (next: Bonus) => setAll(bonuses.with(index, next));
  const pointer = `/earning/bonus_collections/${index}`;
  const name = bonus.name ?? (bonus.collection_id === "" ? t.newBonus : bonus.collection_id);
  const isBackwards =
    bonus.starts_at !== null && bonus.ends_at !== null && Date.parse(bonus.ends_at) <= Date.parse(bonus.starts_at);
  const entry = useOpenEntry(index);
  return (
    <li ref={entry} className={classes["entry"]}>
      <div className={classes["entryHead"]}>
        <strong>{name}</strong>
        <span className={classes["hint"]}>{bonus.starts_at === null && bonus.ends_at === null ? t.always : ""}</span>
        {isEditable ? (
          <ActionIcon
            aria-label={t.remove(name)}
            title={t.remove(name)}
            onClick={() => setAll(bonuses.toSpliced(index, 1))}
          >
            <CloseIcon />
          </ActionIcon>
        ) : null}
      </div>
      <div className={classes["fields"]}>
        <BonusName bonus={bonus} pointer={pointer} of={name} onChange={set} />
        <RateFields
          rate={bonus}
          pointer={pointer}
          help={{ example: "bonus.rate", of: t.helpOf(t.pointsLabel, name), term: "bonus" }}
          onChange={(next) => set({ ...next, point_value: next.point_value ?? 0 })}
        />
        <TimeField
          label={t.starts}
          value={bonus.starts_at}
          emptyMeans={t.noStart}
          fault={faultOf(refusal, `${pointer}/starts_at`)}
          onChange={(at) => set({ ...bonus, starts_at: at })}
        />
        <TimeField
          label={t.ends}
          value={bonus.ends_at}
          emptyMeans={t.noEnd}
          fault={isBackwards ? t.endBeforeStart : faultOf(refusal, `${pointer}/ends_at`)}
          onChange={(at) => set({ ...bonus, ends_at: at })}
        />
      </div>
      <span className={classes["meaning"]}>
        {t.zoneHint(document.store.time_zone)} <Help example="bonus.time" of={t.helpOf(t.starts, name)} term="bonus" />
      </span>
    </li>
  );
}

/** What the bonus is called, and the collection that it is for. */
function BonusName({
  bonus,
  pointer,
  of,
  onChange,
}: {
  bonus: Bonus;
  pointer: string;
  of: string;
  onChange(bonus: Bonus): void;
}) {
  const t = useWords(words);
  const { isEditable, refusal } = useDraft();
  return (
    <div>
      <div className={classes["rate"]}>
        <TextInput
          label={t.bonusName}
          placeholder={t.bonusNameHint}
          value={bonus.name ?? ""}
          disabled={!isEditable}
          error={faultOf(refusal, `${pointer}/name`)}
          onChange={({ currentTarget: { value } }) => onChange({ ...bonus, name: value === "" ? null : value })}
        />
        <TextInput
          label={t.collectionId}
          placeholder={t.collectionIdHint}
          value={bonus.collection_id}
          disabled={!isEditable}
          error={faultOf(refusal, `${pointer}/collection_id`)}
          onChange={(event) => onChange({ ...bonus, collection_id: event.currentTarget.value })}
        />
      </div>
      <span className={classes["meaning"]}>
        <Help example="bonus.collection" of={t.helpOf(t.collectionId, of)} term="bonus" />
      </span>
    </div>
  );
}

function useSetBonuses(): (bonuses: readonly Bonus[]) => void {
  const { document, change } = useDraft();
  return (bonuses) => change({ ...document, earning: { ...document.earning, bonus_collections: bonuses } });
}
