import { CopyId } from "../../ui/copy-id.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { useWords } from "../../words/use-words.ts";
import { changesOf, type MemberChange } from "./changes.ts";
import { MemberValue } from "./member-value.tsx";
import classes from "./page.module.css";
import { useMemberName } from "./use-member-name.ts";
import { words } from "./words.ts";

interface ChangeTableProps {
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
}

/** Each member that an entry changed: what it was and what it is. */
export function ChangeTable({ before, after }: ChangeTableProps) {
  const t = useWords(words);
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p className={classes["quiet"]}>{t.noChange}</p>;
  return (
    <dl className={classes["changes"]}>
      {changes.map((change) => (
        <div key={change.member} className={classes["changed"]}>
          <dt>
            <MemberName member={change.member} />
          </dt>
          <dd>
            <ChangedValues change={change} hasBefore={before !== null} hasAfter={after !== null} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** As the settings call it, and by the path that it has in documents and in the API. */
function MemberName({ member }: { member: string }) {
  const name = useMemberName()(member);
  const path = <code className={classes["quiet"]}>{member}</code>;
  return name === member ? (
    path
  ) : (
    <>
      {name} {path}
    </>
  );
}

interface ChangedValuesProps {
  change: MemberChange;
  hasBefore: boolean;
  hasAfter: boolean;
}

function ChangedValues({ change, hasBefore, hasAfter }: ChangedValuesProps) {
  return (
    <>
      {hasBefore ? (
        <del className={classes["before"]}>
          <ChangedValue member={change.member} value={change.before} />
        </del>
      ) : null}
      {hasAfter ? (
        <ins className={classes["after"]}>
          <ChangedValue member={change.member} value={change.after} />
        </ins>
      ) : null}
    </>
  );
}

/** An adjustment's allotment leads to its panel; anything else is read as it stands. */
function ChangedValue({ member, value }: { member: string; value: unknown }) {
  if (member !== "allotment" || typeof value !== "string") return <MemberValue value={value} />;
  return <CopyId value={value} label={<PageLink to={`/ledger/${encodeURIComponent(value)}`}>{value}</PageLink>} />;
}
