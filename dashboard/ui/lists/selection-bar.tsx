import { Button } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import { useFormat } from "../values/use-format.ts";
import { bulkWords } from "./bulk-words.ts";
import classes from "./selection-bar.module.css";
import { SELECTED_MAX, type Selection } from "./use-selection.ts";

interface SelectionBarProps {
  selection: Selection;
  /** The ids of the rows that are shown and can be selected; null: other rows are being read. */
  shown: readonly string[] | null;
  /** Whether there are tiers to choose from. */
  hasTiers: boolean;
  onPoints(): void;
  onTier(): void;
}

/** How many customers of a list are selected, and what can be done with them. */
export function SelectionBar({ selection, shown, hasTiers, onPoints, onTier }: SelectionBarProps) {
  const t = useWords(bulkWords);
  const format = useFormat();
  const count = selection.ids.length;
  const elsewhere = shown === null ? 0 : selection.ids.filter((id) => !shown.includes(id)).length;
  return (
    <section className={classes["bar"]} aria-label={t.selection}>
      <strong role="status">
        {t.selected(format.number(count))}
        {elsewhere === 0 ? null : (
          <span className={classes["elsewhere"]}> {t.elsewhere(format.number(elsewhere))}</span>
        )}
      </strong>
      <Button variant="default" disabled={!shown?.length} onClick={() => selection.add(shown ?? [])}>
        {t.selectPage}
      </Button>
      <Button disabled={count === 0} onClick={onPoints}>
        {t.givePoints}
      </Button>
      <Button variant="default" disabled={count === 0 || !hasTiers} onClick={onTier}>
        {t.setTier}
      </Button>
      <Button variant="subtle" color="gray" fw={400} onClick={selection.end}>
        {t.done}
      </Button>
      {count < SELECTED_MAX ? null : <p className={classes["most"]}>{t.most(format.number(SELECTED_MAX))}</p>}
    </section>
  );
}
