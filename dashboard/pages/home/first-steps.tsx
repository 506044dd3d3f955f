import type { HomeData } from "../../../src/admin/home/schema.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/page-link.tsx";
import { Section } from "../../ui/section.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { words } from "./words.ts";

/** What to do first in a store that has no points yet. */
export function FirstSteps({ setup }: { setup: HomeData["setup"] }) {
  const t = useWords(words);
  const { can } = useSession();
  const connection = can("credentials.manage") ? "/credentials" : "/intake";
  const steps = [
    { title: t.setProgram, hint: t.setProgramHint, to: "/program", isDone: setup.has_program },
    { title: t.connect, hint: t.connectHint, to: connection, isDone: setup.has_events || setup.has_customers },
    { title: t.importPoints, hint: t.importPointsHint, to: "/csv", isDone: setup.has_points },
    ...(can("people.manage") ? [{ title: t.invite, hint: t.inviteHint, to: "/people", isDone: null }] : []),
  ];
  return (
    <Section title={t.start}>
      <p className={classes["hint"]}>{t.startHint}</p>
      <ol className={classes["steps"]}>
        {steps.map(({ title, hint, to, isDone }) => (
          <li key={to} className={classes["step"]}>
            <div>
              <PageLink to={to}>{title}</PageLink>
              <p className={classes["hint"]}>{hint}</p>
            </div>
            {isDone === null ? null : (
              <StateBadge tone={isDone ? "good" : "neutral"}>{isDone ? t.done : t.open}</StateBadge>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
