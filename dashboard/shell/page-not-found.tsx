import { PageLink } from "../ui/layout/page-link.tsx";
import { EmptyState } from "../ui/states/empty-state.tsx";
import { useWords } from "../words/use-words.ts";
import { words } from "./words.ts";

/** Shown at an address without a page. */
export function PageNotFound() {
  const t = useWords(words);
  return <EmptyState title={t.notFound} hint={t.notFoundHint} action={<PageLink to="/">{t.toHome}</PageLink>} />;
}
