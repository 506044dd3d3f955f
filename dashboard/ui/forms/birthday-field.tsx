import { NativeSelect, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import { MONTH_NUMBERS } from "../values/format.ts";
import { useFormat } from "../values/use-format.ts";
import classes from "./birthday-field.module.css";
import { type BirthdayParts, birthdayParts, birthdayText } from "./birthday-parts.ts";
import { profileWords } from "./profile-words.ts";

const DAYS = Array.from({ length: 31 }, (_, n) => n + 1);

interface BirthdayFieldProps {
  /** `1990-04-12`, or `--04-12` without the year. */
  value: string | null;
  onChange(value: string | null): void;
  isClosed: boolean;
  isFaulty: boolean;
}

/** A birthday in the order of the language. The browser's date picker has no day without a year, and starts far from a year of birth. */
export function BirthdayField({ value, onChange, isClosed, isFaulty }: BirthdayFieldProps) {
  const t = useWords(profileWords);
  const { language } = useLanguage();
  const [parts, setParts] = useState(() => birthdayParts(value));
  const [hintId, faultId] = [useId(), useId()];
  const set = (part: Partial<BirthdayParts>) => {
    const next = { ...parts, ...part };
    setParts(next);
    onChange(birthdayText(next));
  };
  const fields = {
    year: (
      <TextInput
        key="year"
        className={classes["year"] ?? ""}
        label={t.year}
        value={parts.year}
        onChange={(event) => set({ year: event.currentTarget.value.trim() })}
        error={isFaulty}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
      />
    ),
    month: <PartChoice key="month" part="month" {...{ parts, set, isFaulty }} />,
    day: <PartChoice key="day" part="day" {...{ parts, set, isFaulty }} />,
  };
  const { year, month, day } = fields;
  return (
    <fieldset
      className={classes["field"]}
      disabled={isClosed}
      aria-describedby={isFaulty ? `${hintId} ${faultId}` : hintId}
    >
      <legend className={classes["legend"]}>{t.profile.birthday}</legend>
      <p id={hintId} className={classes["hint"]}>
        {isClosed ? t.ofPlatform : t.birthdayHint}
      </p>
      <div className={classes["parts"]}>{language === "ja" ? [year, month, day] : [day, month, year]}</div>
      {isFaulty ? (
        <p id={faultId} className={classes["fault"]} role="alert">
          {t.birthdayFault}
        </p>
      ) : null}
    </fieldset>
  );
}

interface PartChoiceProps {
  part: "month" | "day";
  parts: BirthdayParts;
  set(part: Partial<BirthdayParts>): void;
  isFaulty: boolean;
}

function PartChoice({ part, parts, set, isFaulty }: PartChoiceProps) {
  const t = useWords(profileWords);
  const { monthName } = useFormat();
  const numbers = part === "month" ? MONTH_NUMBERS : DAYS;
  return (
    <NativeSelect
      className={classes[part] ?? ""}
      label={t[part]}
      value={parts[part]}
      onChange={(event) => set({ [part]: event.currentTarget.value })}
      error={isFaulty}
    >
      <option value="">—</option>
      {numbers.map((n) => (
        <option key={n} value={n}>
          {part === "month" ? monthName(n) : t.dayName(n)}
        </option>
      ))}
    </NativeSelect>
  );
}
