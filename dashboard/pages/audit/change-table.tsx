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
export function ChangeTable({ entry: { before, after, subject } }: { entry: AuditEntry }) {
  const t = useWords(words);
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
            <ChangedValues change={change} hasBefore={before !== null} hasAfter={after !== null} />
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
  change: FieldChange;
  hasBefore: boolean;
  hasAfter: boolean;
}

function ChangedValues({ change, hasBefore, hasAfter }: ChangedValuesProps) {
  return (
    <>
      {hasBefore ? (
        <del className={classes["before"]}>
          <ChangedValue field={change.field} value={change.before} />
        </del>
      ) : null}
      {hasAfter ? (
        <ins className={classes["after"]}>
          <ChangedValue field={change.field} value={change.after} />
        </ins>
      ) : null}
    </>
  );
}

/** An adjustment's allotment links to its panel; any other value is shown as it is. */
function ChangedValue({ field, value }: { field: string; value: unknown }) {
  if (field !== "allotment" || typeof value !== "string") return <FieldValue field={field} value={value} />;
  return <CopyId value={value} label={<PageLink to={`/ledger/${encodeURIComponent(value)}`}>{value}</PageLink>} />;
}
