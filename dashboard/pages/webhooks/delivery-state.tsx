import type { DeliveryRow } from "../../../src/admin/webhooks/schema.ts";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const TONES = { waiting: "warn", failed: "bad", done: "good", ended: "neutral" } as const;

export function DeliveryState({ state }: { state: DeliveryRow["state"] }) {
  const t = useWords(words);
  return <StateBadge tone={TONES[state]}>{t.stateNames[state]}</StateBadge>;
}
