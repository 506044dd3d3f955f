import { useIsOffline } from "../api/online.ts";
import { useWords } from "../words/use-words.ts";
import classes from "./shell.module.css";
import { words } from "./words.ts";

/** A notice at the top of every page while there is no connection: nothing can be saved, and the data may be old. */
export function OfflineBar() {
  const t = useWords(words);
  const isOffline = useIsOffline();
  return (
    <div role="status" className={isOffline ? classes["offline"] : undefined}>
      {isOffline ? t.offline : null}
    </div>
  );
}
