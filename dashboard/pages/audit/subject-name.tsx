import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { useLanguage } from "../../words/language.tsx";
import { subjectText } from "./action-words.ts";
import classes from "./page.module.css";
import { subjectPath } from "./subject-path.ts";
import { useSubjectName } from "./use-subject-name.ts";

/** Whether the store has one of this kind alone, whose stored id is no name: settings, for example. */
function isOnlyOne({ kind, id }: AuditEntry["subject"]): boolean {
  return id === "true" || ["store", "oidc", "secret_key"].includes(kind);
}

/** The subject of an entry, as a link to its page. */
export function SubjectName({ subject }: { subject: AuditEntry["subject"] }) {
  const { language } = useLanguage();
  const { can } = useSession();
  const path = subjectPath(subject, can);
  const name = useSubjectName()(subject);
  const kind = subjectText(subject.kind, language);
  if (isOnlyOne(subject)) return path === null ? kind : <PageLink to={path}>{kind}</PageLink>;
  return (
    <span className={classes["subject"]}>
      <span className={classes["quiet"]}>{kind}</span> {path === null ? name : <PageLink to={path}>{name}</PageLink>}
    </span>
  );
}
