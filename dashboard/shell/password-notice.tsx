import { useSession } from "../api/session.ts";
import { PageLink } from "../ui/page-link.tsx";
import { useWords } from "../words/use-words.ts";
import classes from "./password-notice.module.css";
import { words } from "./words.ts";

/** Above every page of somebody whose password came from another person, until it is changed. */
export function PasswordNotice() {
  const t = useWords(words);
  if (!useSession().staff.has_made_password) return null;
  return (
    <p className={classes["notice"]}>
      {t.madePassword} <PageLink to="/account">{t.choosePassword}</PageLink>
    </p>
  );
}
