import { useEffect } from "react";
import { useWords } from "../../words/use-words.ts";
import { PageLink } from "../layout/page-link.tsx";
import { words } from "../words.ts";
import { EmptyState } from "./empty-state.tsx";

/** Shown at an address without a page, and in place of a page at one of which it has no part. */
export function PageNotFound() {
  const { noPage } = useWords(words);
  useEffect(() => {
    document.title = noPage;
  }, [noPage]);
  return <NotFound isPage />;
}

/** Shown below the title of a page that has no such part. */
export function PartNotFound() {
  return <NotFound />;
}

function NotFound({ isPage = false }: { isPage?: boolean }) {
  const t = useWords(words);
  const toHome = <PageLink to="/">{t.toHome}</PageLink>;
  return <EmptyState title={t.noPage} hint={t.noPageHint} action={toHome} isPage={isPage} />;
}
