import type { ResultRow } from "../../../src/admin/results/schema.ts";
import { StateBadge, type Tone } from "../../ui/values/state-badge.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const TONES: Readonly<Record<ResultRow["state"], Tone>> = { planned: "neutral", running: "good", past: "neutral" };

export function RunState({ run: { state } }: { run: ResultRow }) {
  return <StateBadge tone={TONES[state]}>{useWords(words).states[state]}</StateBadge>;
}

export function RunPeriod({ run: { starts_at, ends_at } }: { run: ResultRow }) {
  const t = useWords(words);
  const format = useFormat();
  if (starts_at === null && ends_at === null) return t.ever;
  const first = starts_at === null ? "" : format.date(starts_at);
  const last = ends_at === null ? "" : lastDay(ends_at, format);
  return t.until(unbroken(first), unbroken(last));
}

/** A day that is not broken across lines. */
function unbroken(day: string): string {
  return day.replaceAll(" ", "\u00a0");
}

/** A run that ends at midnight is shown as ending on the day before. */
export function lastDay(endsAt: string, format: ReturnType<typeof useFormat>): string {
  return format.date(new Date(new Date(endsAt).getTime() - 1).toISOString());
}
