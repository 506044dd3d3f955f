import { EmptyState } from "../ui/empty-state.tsx";
import { PageLink } from "../ui/page-link.tsx";
import { useWords } from "../words/use-words.ts";
import { words } from "./words.ts";

/** Shown at an address without a page. */
export function PageNotFound() {
  const t = useWords(words);
  return <EmptyState title={t.notFound} hint={t.notFoundHint} action={<PageLink to="/">{t.toHome}</PageLink>} />;
}
