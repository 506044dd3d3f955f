import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { useWords } from "../../words/use-words.ts";
import { changesOf, type FieldChange } from "./changes.ts";
import { FieldValue } from "./field-value.tsx";
import classes from "./page.module.css";
import { useFieldName } from "./use-field-name.ts";
import { words } from "./words.ts";

/** Each field that an entry changed, before and after. */
export function ChangeTable({ entry }: { entry: AuditEntry }) {
  const t = useWords(words);
  const { before, after, subject } = entry;
  const fieldName = useFieldName(subject);
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p className={classes["quiet"]}>{t.noChange}</p>;
  return (
    <dl className={classes["changes"]}>
      {changes.map((change) => (
        <div key={change.field} className={classes["changed"]}>
          <dt>
            <FieldName field={change.field} name={fieldName(change.field)} />
          </dt>
          <dd>
            <ChangedValues entry={entry} change={change} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The field's name in the settings, and its path in documents and in the API. */
function FieldName({ field, name }: { field: string; name: string }) {
  const path = <code className={classes["quiet"]}>{field}</code>;
  return name === field ? (
    path
  ) : (
    <>
      {name} {path}
    </>
  );
}

interface ChangedValuesProps {
  entry: AuditEntry;
  change: FieldChange;
}

function ChangedValues({ entry, change }: ChangedValuesProps) {
  return (
    <>
      {entry.before === null ? null : (
        <del className={classes["before"]}>
          <ChangedValue entry={entry} field={change.field} value={change.before} />
        </del>
      )}
      {entry.after === null ? null : (
        <ins className={classes["after"]}>
          <ChangedValue entry={entry} field={change.field} value={change.after} />
        </ins>
      )}
    </>
  );
}

/** An adjustment's allotment links to its panel; any other value is shown as it is. */
function ChangedValue({ entry, field, value }: { entry: AuditEntry; field: string; value: unknown }) {
  if (field !== "allotment" || typeof value !== "string")
    return <FieldValue entry={entry} field={field} value={value} />;
  return <CopyId value={value} label={<PageLink to={`/ledger/${encodeURIComponent(value)}`}>{value}</PageLink>} />;
}
