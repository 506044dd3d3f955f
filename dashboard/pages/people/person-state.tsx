import type { PersonRow } from "../../../src/admin/people/schema.ts";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

export function PersonState({ person }: { person: PersonRow }) {
  const t = useWords(words);
  if (person.disabled_at !== null) return <StateBadge tone="neutral">{t.disabled}</StateBadge>;
  if (!person.has_password && (person.has_identity || person.passkeys > 0))
    return <StateBadge tone="good">{t.active}</StateBadge>;
  if (!person.has_password && person.link_expires_at === null) return <StateBadge tone="bad">{t.linkOver}</StateBadge>;
  if (!person.has_password || person.has_made_password) return <StateBadge tone="warn">{t.invited}</StateBadge>;
  return <StateBadge tone="good">{t.active}</StateBadge>;
}
