import { NativeSelect, Switch, TagsInput, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/fault-of.ts";
import { memberWords } from "../../words/program-member-words.ts";
import { useWords } from "../../words/use-words.ts";
import { readMember, withMember } from "./document.ts";
import { isSame } from "./draft.ts";
import { useDraft } from "./draft-context.ts";
import { kindOf, LIMITS, type Member } from "./members.ts";
import { CountField, MoneyField } from "./number-fields.tsx";
import classes from "./program.module.css";
import { useTellValue } from "./use-tell-value.ts";
import { words } from "./words.ts";

/** One setting: its name, what it means, its value; what differs from the valid version can be put back. */
export function MemberField({ member }: { member: Member }) {
  const t = useWords(words);
  const draft = useDraft();
  const tell = useTellValue();
  const before = readMember(draft.base, member);
  const isChanged = !isSame(before, readMember(draft.document, member));
  const fallback = readMember(draft.program.defaults, member);
  return (
    <div className={classes["field"]} data-changed={isChanged || undefined}>
      <MemberInput member={member} />
      <div className={classes["under"]}>
        <span>{t.defaultIs(tell(member, fallback))}</span>
        {isChanged ? (
          <button
            type="button"
            className={classes["reset"]}
            onClick={() => draft.change(withMember(draft.document, member, before))}
          >
            {t.reset}: {tell(member, before)}
          </button>
        ) : null}
      </div>
    </div>
  );
}

function MemberInput({ member }: { member: Member }) {
  const m = useWords(memberWords);
  const t = useWords(words);
  const { document, refusal, isEditable: mayChange, change } = useDraft();
  const { can } = useSession();
  const isOwners = LIMITS.includes(member) && !can("limit.change");
  const isEditable = mayChange && !isOwners;
  const value = readMember(document, member);
  const onChange = (next: unknown) => change(withMember(document, member, next));
  const kind = kindOf(member);
  const hint = mayChange && isOwners ? `${m.hint[member]} ${t.ownersOnly}` : m.hint[member];
  const common = { label: m.label[member], description: hint };
  const fault = faultOf(refusal, `/${member.replace(".", "/")}`);
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
    const emptyMeans = member === "expiration.delay_months" ? t.never : t.none;
    const empty = isNullable ? { emptyMeans } : {};
    const shown = { ...common, ...empty, fault, isDisabled: !isEditable };
    return <CountField {...shown} value={numberOf(value)} onChange={onChange} />;
  }
  return <ChoiceInput member={member} value={value} onChange={onChange} input={input} />;
}

function ChoiceInput(props: {
  member: Member;
  value: unknown;
  onChange(value: unknown): void;
  input: { label: ReactNode; description: ReactNode; error: string | null; disabled: boolean };
}) {
  const { member, value, onChange, input } = props;
  const tell = useTellValue();
  const options = optionsOf(member, value);
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
          {tell(member, option)}
        </option>
      ))}
    </NativeSelect>
  );
}

/** What may be chosen, what is chosen now included. */
function optionsOf(member: Member, value: unknown): readonly (string | number)[] {
  const kind = kindOf(member);
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
