import { Button } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import { EmptyState } from "../states/empty-state.tsx";
import { words } from "../words.ts";

/** Shown if no row of a list matches the filters, with a button that removes them. */
export function NoneFound({ onClear, ...said }: { title: string; hint?: string; onClear(): void }) {
  const t = useWords(words);
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t.clearFilters}
    </Button>
  );
  return <EmptyState {...said} action={clear} />;
}
