import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { words } from "./words.ts";

/** Who acted: a person by name, anything else with what it is. */
export function ActorName({ entry }: { entry: Pick<AuditEntry, "actor"> }) {
  const t = useWords(words);
  const { kind, id, name } = entry.actor;
  if (kind === "staff" && id === null) return <span className={classes["quiet"]}>{t.unknown}</span>;
  if (kind === "system") return <span className={classes["quiet"]}>{t.theService}</span>;
  if (kind === "staff") return name;
  return (
    <>
      {name} <span className={classes["quiet"]}>{t.kinds[kind]}</span>
    </>
  );
}
