import { NativeSelect, Switch, TagsInput, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { Help } from "../../ui/forms/help.tsx";
import type { GlossaryTerm } from "../../words/glossary-words.ts";
import { fieldWords } from "../../words/program-field-words.ts";
import { useWords } from "../../words/use-words.ts";
import { readField, withField } from "./document.ts";
import { isSame } from "./draft/draft.ts";
import { useDraft } from "./draft/draft-context.ts";
import { CountField, MoneyField } from "./number-fields.tsx";
import classes from "./program.module.css";
import { kindOf, LIMITS, type Setting } from "./settings.ts";
import { useFormatValue } from "./use-format-value.ts";
import { words } from "./words.ts";

/** One setting: its name, its meaning, its value; a changed value can be reset to the valid version's. */
export function SettingField({ field }: { field: Setting }) {
  const t = useWords(words);
  const m = useWords(fieldWords);
  const draft = useDraft();
  const valueText = useFormatValue();
  const before = readField(draft.base, field);
  const value = readField(draft.document, field);
  const isChanged = !isSame(before, value);
  const fallback = readField(draft.program.defaults, field);
  // A store's own name, currency and zone usually differ from the built-in ones, so no difference is shown.
  const isUsual = field.startsWith("store.") || isSame(fallback, value);
  return (
    <div className={classes["field"]} data-changed={isChanged || undefined}>
      <SettingInput field={field} />
      <div className={classes["under"]}>
        {isUsual ? null : <span>{t.defaultIs(valueText(field, fallback))}</span>}
        <Help example={field} of={m.label[field]} {...termOf(field)} />
        {isChanged ? (
          <button
            type="button"
            className={classes["reset"]}
            onClick={() => draft.change(withField(draft.document, field, before))}
          >
            {t.reset}: {valueText(field, before)}
          </button>
        ) : null}
      </div>
    </div>
  );
}

const TERMS: Readonly<Record<string, GlossaryTerm>> = {
  earning: "rate",
  tiers: "check",
  expiration: "expiry",
  refunds: "shortfall",
  coupons: "coupon",
  rewards: "reward",
  staff: "approval",
};

/** The store's own name, currency and zone have no term. */
function termOf(field: Setting): { readonly term?: GlossaryTerm } {
  if (field === "earning.pending_days") return { term: "pending" };
  if (field === "expiration.coupons_extend" || field === "expiration.mode") return { term: "activity" };
  const term = TERMS[field.split(".", 1)[0] ?? ""];
  return term === undefined ? {} : { term };
}

function SettingInput({ field }: { field: Setting }) {
  const m = useWords(fieldWords);
  const t = useWords(words);
  const { document, refusal, isEditable: mayChange, change } = useDraft();
  const { can } = useSession();
  const isOwners = LIMITS.includes(field) && !can("limit.change");
  const isEditable = mayChange && !isOwners;
  const value = readField(document, field);
  const onChange = (next: unknown) => change(withField(document, field, next));
  const kind = kindOf(field);
  const hint = mayChange && isOwners ? `${m.hint[field]} ${t.ownersOnly}` : m.hint[field];
  const common = { label: m.label[field], description: hint };
  const fault = faultOf(refusal, `/${field.replace(".", "/")}`);
  const input = { ...common, error: fault, disabled: !isEditable };
  if (kind.kind === "flag") {
    return <Switch {...input} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />;
  }
  if (kind.kind === "tags") {
    return <TagsInput {...input} value={textsOf(value)} onChange={onChange} acceptValueOnBlur />;
  }
  if (kind.kind === "text") {
    return <TextInput {...input} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
  if (kind.kind === "money") {
    return <MoneyField {...common} fault={fault} value={numberOf(value)} onChange={onChange} />;
  }
  if (kind.kind === "points" || kind.kind === "count") {
    const isNullable = kind.kind === "count" && kind.isNullable === true;
    const emptyMeans = field === "expiration.delay_months" ? t.never : t.none;
    const empty = isNullable ? { emptyMeans } : {};
    const shown = { ...common, ...empty, fault, isDisabled: !isEditable };
    return <CountField {...shown} value={numberOf(value)} onChange={onChange} />;
  }
  return <ChoiceInput field={field} value={value} onChange={onChange} input={input} />;
}

function ChoiceInput(props: {
  field: Setting;
  value: unknown;
  onChange(value: unknown): void;
  input: { label: ReactNode; description: ReactNode; error: string | null; disabled: boolean };
}) {
  const { field, value, onChange, input } = props;
  const valueText = useFormatValue();
  const options = optionsOf(field, value);
  return (
    <NativeSelect
      {...input}
      value={String(value)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        onChange(options.find((option) => String(option) === text));
      }}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {valueText(field, option)}
        </option>
      ))}
    </NativeSelect>
  );
}

/** The options, including the present value. */
function optionsOf(field: Setting, value: unknown): readonly (string | number)[] {
  const kind = kindOf(field);
  if (kind.kind === "choice") return kind.options;
  const known = Intl.supportedValuesOf(kind.kind === "currency" ? "currency" : "timeZone");
  return typeof value === "string" && !known.includes(value) ? [value, ...known] : known;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
