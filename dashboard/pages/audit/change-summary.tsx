import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { changesOf } from "./changes.ts";
import { MemberValue } from "./member-value.tsx";
import classes from "./page.module.css";
import { useMemberName } from "./use-member-name.ts";

const SHOWN = 2;
/** Said by other columns, or by nothing that a reader looks for. */
const PLAIN = new Set(["uid", "created_at", "allotment", "request"]);

/** The first members that an entry changed, in one line. */
export function ChangeSummary({ entry }: { entry: AuditEntry }) {
  const memberName = useMemberName();
  const all = changesOf(entry.before, entry.after);
  const changes = entry.before === null ? all.filter((one) => !PLAIN.has(one.member) && one.after !== null) : all;
  const more = changes.length - SHOWN;
  return (
    <span className={classes["summary"]}>
      {changes.slice(0, SHOWN).map(({ member, before, after }) => (
        <span key={member} className={classes["piece"]}>
          <span className={classes["quiet"]}>{memberName(member)}</span>{" "}
          {entry.before === null ? null : (
            <>
              <MemberValue value={before} /> →{" "}
            </>
          )}
          <MemberValue value={after} />
        </span>
      ))}
      {more > 0 ? <span className={classes["quiet"]}>+{more}</span> : null}
    </span>
  );
}
