import { useRouterState } from "@tanstack/react-router";
import { memo } from "react";
import { useSession } from "../api/session.ts";
import { entryOf, NAVIGATION, type NavigationEntry } from "../navigation.ts";
import { SearchIcon } from "../ui/layout/icons.tsx";
import { PageLink } from "../ui/layout/page-link.tsx";
import { pathWithDefaultView } from "../ui/views/default-views.ts";
import { useDefaultViews } from "../ui/views/use-default-views.ts";
import { useLanguage } from "../words/language.tsx";
import { useWords } from "../words/use-words.ts";
import { AccountMenu } from "./account-menu.tsx";
import { openPalette } from "./palette-host.tsx";
import classes from "./side-navigation.module.css";
import { StoreName } from "./store-name.tsx";
import { words } from "./words.ts";

/** The store, the search, the pages that the role may see, and the account. It does not change when another page is shown. */
export const SideNavigation = memo(function Side() {
  const t = useWords(words);
  const { can } = useSession();
  const groups = NAVIGATION.map((group) => group.filter((entry) => can(entry.permission))).filter((g) => g.length > 0);
  return (
    <div className={classes["side"]}>
      <StoreName />
      <button type="button" className={classes["search"]} onClick={openPalette}>
        <SearchIcon /> <span>{t.search}</span> <kbd>Ctrl K</kbd>
      </button>
      <nav className={classes["pages"]} aria-label={t.navigation}>
        {groups.map((group) => (
          <ul key={group[0]?.path} className={classes["group"]}>
            {group.map((entry) => (
              <li key={entry.path}>
                <Entry entry={entry} />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <AccountMenu />
    </div>
  );
});

function Entry({ entry }: { entry: NavigationEntry }) {
  const { language } = useLanguage();
  const views = useDefaultViews();
  const isHere = useRouterState({ select: (state) => entryOf(state.location.pathname) === entry });
  return (
    <PageLink
      to={pathWithDefaultView(entry.path, views)}
      isLikely
      className={classes["entry"] ?? ""}
      aria-current={isHere ? "page" : undefined}
    >
      <entry.icon />
      {entry.label[language]}
    </PageLink>
  );
}
