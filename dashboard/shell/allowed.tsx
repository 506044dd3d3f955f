import { useMatches } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "../api/session.ts";
import { entryOf } from "../navigation.ts";
import { Page } from "../ui/layout/page.tsx";
import { PageLink } from "../ui/layout/page-link.tsx";
import { EmptyState } from "../ui/states/empty-state.tsx";
import { words as uiWords } from "../ui/words.ts";
import { useLanguage } from "../words/language.tsx";
import { useWords } from "../words/use-words.ts";
import { words } from "./words.ts";

/** Shows a page, or if the role may not see it a notice instead: the page itself is not rendered. */
export function Allowed({ children }: { children: ReactNode }) {
  const t = useWords(words);
  const { toHome } = useWords(uiWords);
  const { language } = useLanguage();
  const { can } = useSession();
  // of the page that is shown: while the next one is fetched, the address is that one's already
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? "/" });
  const entry = entryOf(path);
  if (entry === undefined || can(entry.permission)) return children;
  return (
    <Page title={entry.label[language]}>
      <EmptyState title={t.noRight} hint={t.noRightHint} action={<PageLink to="/">{toHome}</PageLink>} />
    </Page>
  );
}
