import { Button } from "@mantine/core";
import { EmptyState } from "../ui/empty-state.tsx";
import { useWords } from "../words/use-words.ts";
import { words } from "./words.ts";

/** In the place of a page that broke; the navigation beside it still works. */
export function PageError() {
  const t = useWords(words);
  return (
    <EmptyState
      title={t.pageFailed}
      hint={t.pageFailedHint}
      action={<Button onClick={() => location.reload()}>{t.reload}</Button>}
    />
  );
}
