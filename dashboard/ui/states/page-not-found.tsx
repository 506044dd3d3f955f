import { useWords } from "../../words/use-words.ts";
import { PageLink } from "../layout/page-link.tsx";
import { words } from "../words.ts";
import { EmptyState } from "./empty-state.tsx";

/** Shown at an address without a page, and by a page at one of which it has no part. */
export function PageNotFound() {
  const t = useWords(words);
  return <EmptyState title={t.noPage} hint={t.noPageHint} action={<PageLink to="/">{t.toHome}</PageLink>} />;
}
