import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { CodeError, isServiceThere, reloadOnce } from "../api/code.ts";
import { useIsOffline } from "../api/online.ts";
import { EmptyState } from "../ui/states/empty-state.tsx";
import { useWords } from "../words/use-words.ts";
import { PagePending } from "./page-pending.tsx";
import { words } from "./words.ts";

const LOOK_AGAIN_MS = 3_000;

/** Shown instead of a page that failed, or whose code could not be loaded; the navigation beside it still works. */
export function PageError({ error }: { error: unknown }) {
  const t = useWords(words);
  if (error instanceof CodeError) return <CodeMissing />;
  return <EmptyState title={t.pageFailed} hint={t.pageFailedHint} action={<ReloadButton />} />;
}

type Recovery = "looking" | "unreachable" | "broken";

/**
 * Says that the page could not be loaded, and loads it when the service can be reached again. If the service was reachable all the time, a new
 * release has other files: the page is reloaded once.
 */
function CodeMissing() {
  const t = useWords(words);
  const isOffline = useIsOffline();
  const recovery = useRecovery(isOffline);
  if (isOffline) return <EmptyState title={t.offlinePage} hint={t.offlinePageHint} />;
  if (recovery === "unreachable") return <EmptyState title={t.unreachablePage} hint={t.unreachablePageHint} />;
  if (recovery === "looking") return <PagePending />;
  return <EmptyState title={t.pageFailed} hint={t.pageFailedHint} action={<ReloadButton />} />;
}

function useRecovery(isOffline: boolean): Recovery {
  const [wasAway, setWasAway] = useState(isOffline);
  const [recovery, setRecovery] = useState<Recovery>("looking");
  useEffect(() => {
    if (isOffline) {
      setWasAway(true);
      return;
    }
    let timer: ReturnType<typeof setTimeout>;
    let isGone = false;
    const look = async (isAfterFailure: boolean) => {
      const isThere = await isServiceThere();
      if (isGone) return;
      if (!isThere) {
        setRecovery("unreachable");
        timer = setTimeout(() => void look(true), LOOK_AGAIN_MS);
      } else if (isAfterFailure) location.reload();
      else if (!reloadOnce()) setRecovery("broken");
    };
    void look(wasAway);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isOffline, wasAway]);
  return recovery;
}

function ReloadButton() {
  const t = useWords(words);
  return <Button onClick={() => location.reload()}>{t.reload}</Button>;
}
