import { Progress } from "@mantine/core";
import type { ImportDetail } from "../../../src/admin/csv/schema.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { isWorking } from "./use-imports.ts";
import { words } from "./words.ts";

/** The progress of the service's present work. */
export function WorkProgress({ file }: { file: ImportDetail }) {
  const t = useWords(words);
  const format = useFormat();
  if (!isWorking(file)) return null;
  const { done, all } = progressOf(file);
  const rows = format.number(done);
  return (
    <div className={classes["progress"]} aria-live="polite">
      <Progress value={all === 0 ? 0 : Math.min(100, (done / all) * 100)} aria-label={t.states[file.state]} />
      <p className={classes["hint"]}>
        {file.state === "checking" ? t.progress(rows) : t.progressOf(rows, format.number(all))} {t.leave}
      </p>
      {file.error === null ? null : <p className={classes["notice"]}>{t.interrupted}</p>}
    </div>
  );
}

/** The number of rows in a check is an estimate from the ends of lines. */
function progressOf({ state, line_count, check, import: moved, undo }: ImportDetail): { done: number; all: number } {
  if (state === "checking") return { done: check?.row_count ?? 0, all: line_count };
  const done = state === "importing" ? moved : undo;
  return { done: done?.row_count ?? 0, all: check?.good_count ?? 0 };
}
