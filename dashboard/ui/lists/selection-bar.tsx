import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ChosenCustomersAnswer } from "../../../src/admin/list-files/schema.ts";
import { apiAsk } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { useWords } from "../../words/use-words.ts";
import { saveFile } from "../save-file.ts";
import { notifyFailed } from "../states/notify-failed.tsx";
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
      <ExportChosen ids={selection.ids} />
      <Button variant="subtle" color="gray" fw={400} onClick={selection.end}>
        {t.done}
      </Button>
      {count < SELECTED_MAX ? null : <p className={classes["most"]}>{t.most(format.number(SELECTED_MAX))}</p>}
    </section>
  );
}

/** The selected customers as a file, for people who may download lists. */
function ExportChosen({ ids }: { ids: readonly string[] }) {
  const t = useWords(bulkWords);
  const file = useMutation({
    mutationFn: () => apiAsk<ChosenCustomersAnswer>("/customers/chosen", { customers: ids }),
    onSuccess: ({ data }) => saveFile(data.name, "text/csv", data.text),
    onError: notifyFailed,
  });
  if (!useSession().can("lists.export")) return null;
  return (
    <Button variant="default" disabled={ids.length === 0} loading={file.isPending} onClick={() => file.mutate()}>
      {t.exportChosen}
    </Button>
  );
}
