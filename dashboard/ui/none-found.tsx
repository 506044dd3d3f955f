import { Button } from "@mantine/core";
import { useWords } from "../words/use-words.ts";
import { EmptyState } from "./empty-state.tsx";
import { words } from "./words.ts";

/** What stands where filters leave nothing of a list, with the way back to all of it. */
export function NoneFound({ onClear, ...said }: { title: string; hint?: string; onClear(): void }) {
  const t = useWords(words);
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t.clearFilters}
    </Button>
  );
  return <EmptyState {...said} action={clear} />;
}
