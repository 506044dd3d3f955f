import type { JobRow } from "../../../src/admin/jobs/schema.ts";
import { StateBadge, type Tone } from "../../ui/values/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

type State = keyof typeof words.en.states;

const TONES: Readonly<Record<State, Tone>> = {
  never: "neutral",
  running: "neutral",
  asked: "neutral",
  late: "warn",
  done: "good",
  failed: "bad",
  stopped: "neutral",
  broken: "bad",
};

/** The state of a job: what it does now, or how its last run ended. */
export function JobState({ job }: { job: JobRow }) {
  return <Badge state={stateOf(job)} />;
}

/** How a run ended. */
export function RunState({ outcome, isRunning }: { outcome: string | null; isRunning: boolean }) {
  return <Badge state={endOf(outcome, isRunning)} />;
}

function Badge({ state }: { state: State }) {
  const t = useWords(words);
  return <StateBadge tone={TONES[state]}>{t.states[state]}</StateBadge>;
}

function stateOf(job: JobRow): State {
  if (job.is_running) return "running";
  if (job.is_asked) return "asked";
  if (job.is_late) return "late";
  return job.started_at === null ? "never" : endOf(job.outcome, false);
}

function endOf(outcome: string | null, isRunning: boolean): State {
  if (outcome === "done" || outcome === "failed" || outcome === "stopped") return outcome;
  return isRunning ? "running" : "broken";
}
