import { NativeSelect } from "@mantine/core";
import type { HomeData } from "../../../src/admin/home/schema.ts";
import { PERIOD_PRESETS } from "../../../src/wire/period-presets.ts";
import { DayField } from "../../ui/forms/day-field.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { words } from "./words.ts";

const CHOICES = ["7", "30", "90", "365"] as const;
const CUSTOM = "custom";

interface Period {
  readonly days: string;
  readonly preset: string;
  readonly from: string;
  readonly to: string;
}

interface PeriodChoiceProps {
  period: Period;
  shown: HomeData | undefined;
  onChange(change: Partial<Period>): void;
}

/** A number of past days; a month or quarter of the calendar; or entered days, which begin with the present period. */
export function PeriodChoice({ period, shown, onChange }: PeriodChoiceProps) {
  const t = useWords(words);
  const isCustom = period.from !== "";
  const choose = (choice: string) => {
    const isPreset = PERIOD_PRESETS.some((preset) => preset === choice);
    if (isPreset) onChange({ days: "30", preset: choice, from: "", to: "" });
    else if (choice !== CUSTOM) onChange({ days: choice, preset: "", from: "", to: "" });
    else if (shown !== undefined) onChange({ days: "30", preset: "", from: shown.from, to: shown.to });
  };
  return (
    <div className={classes["period"]}>
      {isCustom ? (
        <>
          <DayField
            aria-label={t.from}
            value={period.from}
            max={period.to || undefined}
            onChange={(from) => onChange({ from })}
          />
          <DayField
            aria-label={t.to}
            value={period.to}
            min={period.from || undefined}
            onChange={(to) => onChange({ to })}
          />
        </>
      ) : null}
      <NativeSelect
        aria-label={t.period}
        value={isCustom ? CUSTOM : period.preset || period.days}
        onChange={({ currentTarget: { value } }) => choose(value)}
      >
        {CHOICES.map((days) => (
          <option key={days} value={days}>
            {days === "365" ? t.year : t.days(Number(days))}
          </option>
        ))}
        {PERIOD_PRESETS.map((preset) => (
          <option key={preset} value={preset}>
            {t.presets[preset]}
          </option>
        ))}
        <option value={CUSTOM}>{t.custom}</option>
      </NativeSelect>
    </div>
  );
}
