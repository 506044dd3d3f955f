import { SegmentedControl, TextInput } from "@mantine/core";
import type { HomeData } from "../../../src/admin/home/schema.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { words } from "./words.ts";

const CHOICES = ["7", "30", "90", "365"] as const;
const CUSTOM = "custom";

interface Period {
  readonly days: string;
  readonly from: string;
  readonly to: string;
}

interface PeriodChoiceProps {
  period: Period;
  shown: HomeData | undefined;
  onChange(change: Partial<Period>): void;
}

/** The last days, so many; or days by hand, which begin with those that are shown. */
export function PeriodChoice({ period, shown, onChange }: PeriodChoiceProps) {
  const t = useWords(words);
  const isCustom = period.from !== "";
  const choose = (choice: string) => {
    if (choice !== CUSTOM) onChange({ days: choice, from: "", to: "" });
    else if (shown !== undefined) onChange({ days: "30", from: shown.from, to: shown.to });
  };
  return (
    <div className={classes["period"]}>
      {isCustom ? (
        <>
          <TextInput
            type="date"
            aria-label={t.from}
            value={period.from}
            max={period.to}
            onChange={({ currentTarget: { value } }) => value !== "" && onChange({ from: value })}
          />
          <TextInput
            type="date"
            aria-label={t.to}
            value={period.to}
            min={period.from}
            onChange={({ currentTarget: { value } }) => value !== "" && onChange({ to: value })}
          />
        </>
      ) : null}
      <SegmentedControl
        aria-label={t.period}
        size="xs"
        transitionDuration={0}
        value={isCustom ? CUSTOM : period.days}
        onChange={choose}
        data={[
          ...CHOICES.map((days) => ({ value: days, label: days === "365" ? t.year : t.days(Number(days)) })),
          { value: CUSTOM, label: t.custom },
        ]}
      />
    </div>
  );
}
