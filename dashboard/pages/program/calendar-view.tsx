import { ActionIcon, Button } from "@mantine/core";
import { ChevronLeftIcon, ChevronRightIcon } from "../../ui/layout/icons.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./calendar.module.css";
import { addMonths, type Bar, monthWeeks, type Span, type Week } from "./calendar.ts";
import { words } from "./words.ts";

interface Entry extends Span {
  readonly name: string;
  readonly to: string;
  readonly phase: string;
}

interface CalendarViewProps {
  entries: readonly Entry[];
  /** `YYYY-MM`. */
  month: string;
  /** `YYYY-MM-DD`, of the store. */
  today: string;
  timeZone: string;
  onMonth(month: string): void;
}

/** A month of the store with a bar for each campaign. */
export function CalendarView({ entries, month, today, timeZone, onMonth }: CalendarViewProps) {
  const t = useWords(words);
  const format = useFormat();
  const weeks = monthWeeks(month, entries, timeZone);
  return (
    <div className={classes["calendar"]}>
      <div className={classes["head"]}>
        <ActionIcon aria-label={t.previousMonth} title={t.previousMonth} onClick={() => onMonth(addMonths(month, -1))}>
          <ChevronLeftIcon />
        </ActionIcon>
        <strong className={classes["month"]} aria-live="polite">
          {format.month(month)}
        </strong>
        <ActionIcon aria-label={t.nextMonth} title={t.nextMonth} onClick={() => onMonth(addMonths(month, 1))}>
          <ChevronRightIcon />
        </ActionIcon>
        <Button size="compact-sm" variant="default" onClick={() => onMonth(today.slice(0, 7))}>
          {t.thisMonth}
        </Button>
      </div>
      <div className={classes["days"]} aria-hidden="true">
        {(weeks[0]?.days ?? []).map((day) => (
          <span key={day}>{format.weekday(day)}</span>
        ))}
      </div>
      {weeks.map((week) => (
        <WeekRow key={week.days[0]} week={week} entries={entries} month={month} today={today} />
      ))}
    </div>
  );
}

const DAY_ROW_PX = 24;
const LANE_PX = 28;

function WeekRow({
  week,
  entries,
  month,
  today,
}: {
  week: Week;
  entries: readonly Entry[];
  month: string;
  today: string;
}) {
  return (
    <div className={classes["week"]} style={{ minHeight: DAY_ROW_PX + Math.max(1, week.lanes) * LANE_PX + 4 }}>
      {week.days.map((day, column) => (
        <span
          key={day}
          className={classes["day"]}
          style={{ gridColumn: column + 1 }}
          data-other={!day.startsWith(month) || undefined}
          data-today={day === today || undefined}
        >
          {Number(day.slice(8))}
        </span>
      ))}
      {week.bars.map((bar) => (
        <BarLink key={bar.index} bar={bar} entry={entries[bar.index]} />
      ))}
    </div>
  );
}

function BarLink({ bar, entry }: { bar: Bar; entry: Entry | undefined }) {
  if (entry === undefined) return null;
  return (
    <span
      className={classes["place"]}
      style={{ gridColumn: `${bar.from + 1} / ${bar.to + 2}`, top: DAY_ROW_PX + bar.lane * LANE_PX }}
    >
      <PageLink
        to={entry.to}
        keepScroll
        className={classes["bar"] ?? ""}
        data-phase={entry.phase}
        data-start={bar.isStart || undefined}
        data-end={bar.isEnd || undefined}
        title={entry.name}
      >
        {entry.name}
      </PageLink>
    </span>
  );
}
