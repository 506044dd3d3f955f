import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { changesOf } from "./changes.ts";
import { FieldValue } from "./field-value.tsx";
import classes from "./page.module.css";
import { useFieldName } from "./use-field-name.ts";

const SHOWN = 2;
/** Fields that other columns show, or that do not interest a reader. */
const PLAIN = new Set(["uid", "created_at", "allotment", "request"]);

/** The first fields that an entry changed, in one line. */
export function ChangeSummary({ entry }: { entry: AuditEntry }) {
  const fieldName = useFieldName(entry.subject);
  const all = changesOf(entry.before, entry.after);
  const changes = entry.before === null ? all.filter((one) => !PLAIN.has(one.field) && one.after !== null) : all;
  const more = changes.length - SHOWN;
  return (
    <span className={classes["summary"]}>
      {changes.slice(0, SHOWN).map(({ field, before, after }) => (
        <span key={field} className={classes["piece"]}>
          <span className={classes["quiet"]}>{fieldName(field)}</span>{" "}
          {entry.before === null ? null : (
            <>
              <FieldValue entry={entry} field={field} value={before} /> →{" "}
            </>
          )}
          <FieldValue entry={entry} field={field} value={after} />
        </span>
      ))}
      {more > 0 ? <span className={classes["quiet"]}>+{more}</span> : null}
    </span>
  );
}
