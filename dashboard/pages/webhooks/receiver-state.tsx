import type { SubscriptionRow } from "../../../src/admin/webhooks/schema.ts";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

type ReceiverHealth = Pick<SubscriptionRow, "uid" | "is_dead" | "failures_in_row" | "recent_attempts">;

/** Whether a receiver accepts its deliveries. */
export function ReceiverState({ receiver }: { receiver: ReceiverHealth }) {
  const t = useWords(words);
  const format = useFormat();
  const { uid, is_dead, failures_in_row, recent_attempts } = receiver;
  if (uid === null) return <StateBadge tone="neutral">{t.unsubscribed}</StateBadge>;
  if (is_dead) return <StateBadge tone="bad">{t.dead(format.number(failures_in_row))}</StateBadge>;
  if (failures_in_row > 0) return <StateBadge tone="warn">{t.failing(format.number(failures_in_row))}</StateBadge>;
  if (recent_attempts === 0) return <StateBadge tone="neutral">{t.quiet}</StateBadge>;
  return <StateBadge tone="good">{t.healthy}</StateBadge>;
}
