import { PageLink } from "../../ui/layout/page-link.tsx";
import { useCurrentInView } from "../../ui/urls/use-current-in-view.ts";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import { tabOf } from "./fault-place.ts";
import classes from "./program.module.css";
import { TABS } from "./settings.ts";
import { words } from "./words.ts";

/** The parts of the program, each with its own address; a dot marks those that the draft changes. */
export function TabList({ current }: { current: string }) {
  const t = useWords(words);
  const { changes } = useDraft();
  const row = useCurrentInView<HTMLElement>(current);
  const changed = new Set(changes.map(tabOf));
  return (
    <nav ref={row} className={classes["tabs"]} aria-label={t.sections}>
      {TABS.map((tab) => (
        <PageLink
          key={tab}
          to={`/program/${tab}`}
          keepScroll
          className={classes["tab"] ?? ""}
          {...(tab === current ? { "aria-current": "page" as const } : {})}
        >
          {t.tabs[tab]}
          {changed.has(tab) ? (
            <span className={classes["dot"]} role="img" aria-label={t.changed} title={t.changed} />
          ) : null}
        </PageLink>
      ))}
    </nav>
  );
}
