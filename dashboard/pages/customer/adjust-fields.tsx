import { NativeSelect, Textarea } from "@mantine/core";
import { ORIGINS, REASON_CHOICES } from "../../../src/wire/allotment-choices.ts";
import { WIRE_NOTE_MAX } from "../../../src/wire/limits.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { IntegerField } from "../../ui/forms/integer-field.tsx";
import { useWords } from "../../words/use-words.ts";
import type { AdjustDraft } from "./adjust-draft.ts";
import { ledgerWords } from "./ledger-words.ts";

interface AmountFieldProps {
  draft: AdjustDraft;
  onChange(part: Partial<AdjustDraft>): void;
  error: unknown;
}

/** The number of points, or the new balance. */
export function AmountField({ draft, onChange, error }: AmountFieldProps) {
  const t = useWords(ledgerWords);
  return (
    <IntegerField
      label={draft.kind === "set" ? t.newBalance : t.howMany}
      value={draft.amount}
      onChange={(amount) => onChange({ amount })}
      error={faultOf(error, draft.kind === "set" ? "/balance" : "/point_value")}
      isFirst
    />
  );
}

interface ChoiceProps<Value> {
  value: Value;
  onChange(value: Value): void;
}

/** The reason, one of the interface's types. */
export function ReasonField({ value, onChange }: ChoiceProps<AdjustDraft["reason"]>) {
  const t = useWords(ledgerWords);
  return (
    <NativeSelect
      label={t.reasonType}
      value={value ?? ""}
      onChange={(event) => onChange(REASON_CHOICES.find((reason) => reason === event.currentTarget.value) ?? null)}
    >
      {REASON_CHOICES.map((reason) => (
        <option key={reason} value={reason}>
          {t.reasons[reason]}
        </option>
      ))}
    </NativeSelect>
  );
}

/** The origin of the points, for accounting. */
export function OriginField({ value, onChange }: ChoiceProps<AdjustDraft["origin"]>) {
  const t = useWords(ledgerWords);
  return (
    <NativeSelect
      label={t.origin}
      value={value ?? ""}
      onChange={(event) => onChange(ORIGINS.find((origin) => origin === event.currentTarget.value) ?? null)}
    >
      <option value="">{t.noOrigin}</option>
      {ORIGINS.map((origin) => (
        <option key={origin} value={origin}>
          {t.origins[origin]}
        </option>
      ))}
    </NativeSelect>
  );
}

/** A note of at most 255 characters. */
export function NoteField({ value, onChange, error }: ChoiceProps<string> & { error: unknown }) {
  const t = useWords(ledgerWords);
  return (
    <Textarea
      label={t.note}
      description={t.noteHint(WIRE_NOTE_MAX - [...value].length)}
      value={value}
      onChange={(event) => onChange([...event.currentTarget.value].slice(0, WIRE_NOTE_MAX).join(""))}
      rows={2}
      error={faultOf(error, "/note")}
    />
  );
}
