import type { OrderState as State } from "../../../src/admin/orders/schema.ts";
import { StateBadge, type Tone } from "../../ui/values/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const TONES: Readonly<Record<State, Tone>> = {
  awarded: "good",
  pending: "warn",
  waiting: "warn",
  nothing: "neutral",
  cancelled: "neutral",
  test: "neutral",
  other_currency: "bad",
  no_program: "warn",
};

export function OrderStateBadge({ state }: { state: State }) {
  const t = useWords(words);
  return <StateBadge tone={TONES[state]}>{t.states[state]}</StateBadge>;
}
