import { Button } from "@mantine/core";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./ledger.module.css";
import { words } from "./words.ts";

/** A page that is not full: the time down to which it was read, and a button to continue. */
export function LookedBack({ to, onGoOn }: { to: string; onGoOn: () => void }) {
  const t = useWords(words);
  const format = useFormat();
  return (
    <div className={classes["lookedBack"]} role="status">
      <span>
        {t.lookedBack} <time dateTime={to}>{format.exact(to)}</time>. {t.lookedBackHint}
      </span>
      <Button variant="default" onClick={onGoOn}>
        {t.goOn}
      </Button>
    </div>
  );
}
