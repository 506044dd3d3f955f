import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./page.module.css";
import { subjectPath } from "./subject-path.ts";
import { words } from "./words.ts";

/** The actor: a person by name, anything else with its kind, as a link if the reader may open their page. */
export function ActorName({ entry }: { entry: Pick<AuditEntry, "actor"> }) {
  const t = useWords(words);
  const { can } = useSession();
  const { kind, id, name } = entry.actor;
  if (kind === "staff" && id === null) return <span className={classes["quiet"]}>{t.unknown}</span>;
  if (kind === "system") return <span className={classes["quiet"]}>{t.theService}</span>;
  const path = id === null ? null : subjectPath({ kind, id }, can);
  const shown = path === null ? name : <PageLink to={path}>{name}</PageLink>;
  if (kind === "staff") return shown;
  return (
    <>
      {shown} <span className={classes["quiet"]}>{t.kinds[kind]}</span>
    </>
  );
}
