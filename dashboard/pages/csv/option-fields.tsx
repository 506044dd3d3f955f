import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import type { ImportOptionsBody } from "../../../src/admin/csv/schema.ts";
import { IMPORT_ORIGINS, REASON_CHOICES } from "../../../src/wire/allotment-choices.ts";
import { DAY_EXAMPLES, DAY_FORMS, type DayForm } from "../../../src/wire/day-forms.ts";
import { WIRE_NOTE_MAX } from "../../../src/wire/limits.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { moveWords } from "./move-words.ts";
import { words } from "./words.ts";

interface OptionFieldsProps {
  options: ImportOptionsBody;
  onChange(options: ImportOptionsBody): void;
}

/** Defaults for rows that do not have their own values. */
export function OptionFields({ options, onChange }: OptionFieldsProps) {
  const t = useWords(words);
  const { origin, reason_type, note } = options;
  return (
    <div className={classes["fields"]}>
      <NativeSelect
        label={t.origin}
        value={origin}
        data={IMPORT_ORIGINS.map((value) => ({ value, label: t.origins[value] }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...options, origin: IMPORT_ORIGINS.find((known) => known === value) ?? origin })
        }
      />
      <NativeSelect
        label={t.reason}
        value={reason_type ?? ""}
        data={[
          { value: "", label: t.noReason },
          ...REASON_CHOICES.map((value) => ({ value, label: t.reasons[value] })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...options, reason_type: REASON_CHOICES.find((known) => known === value) ?? null })
        }
      />
      <TextInput
        label={t.note}
        value={note ?? ""}
        maxLength={WIRE_NOTE_MAX}
        onChange={(event) => onChange({ ...options, note: event.currentTarget.value || null })}
      />
      <Checkbox
        mb={8}
        label={t.extends}
        checked={options.extends}
        onChange={(event) => onChange({ ...options, extends: event.currentTarget.checked })}
      />
    </div>
  );
}

interface ActivityFieldsProps extends OptionFieldsProps {
  kind: "history" | "spend";
}

/** The app of the history, and how its days are written. */
export function ActivityFields({ kind, options, onChange }: ActivityFieldsProps) {
  const t = useWords(moveWords);
  const { source, again, days = "year_first" } = options;
  return (
    <div className={classes["stack"]}>
      <div className={classes["fields"]}>
        <TextInput
          label={t.source}
          value={source ?? ""}
          maxLength={SOURCE_MAX}
          onChange={(event) => onChange({ ...options, source: event.currentTarget.value || null })}
        />
        <NativeSelect
          label={t.days}
          value={days}
          data-form-of-file
          data={DAY_FORMS.map((value) => ({ value, label: DAY_EXAMPLES[value] }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...options, days: DAY_FORMS.find((known): known is DayForm => known === value) ?? "year_first" })
          }
        />
      </div>
      <p className={classes["hint"]}>{kind === "history" ? t.historyOnce : t.ordersOnce}</p>
      {kind === "spend" && (source ?? null) !== null ? (
        <Checkbox
          label={t.ordersAgain}
          description={t.ordersAgainHint}
          checked={again ?? false}
          onChange={({ currentTarget: { checked } }) => onChange({ ...options, again: checked })}
        />
      ) : null}
    </div>
  );
}

const SOURCE_MAX = 60;
