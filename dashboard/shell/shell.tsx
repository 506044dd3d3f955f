import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { loadCode, warmCode } from "../api/code.ts";
import { useSession } from "../api/session.ts";
import { NAVIGATION } from "../navigation.ts";
import { MenuIcon, SearchIcon } from "../ui/layout/icons.tsx";
import { loadPageCode } from "../ui/layout/load-page-code.ts";
import { useStoredDefaults } from "../ui/views/use-stored-defaults.ts";
import { useWords } from "../words/use-words.ts";
import { AccessNotices } from "./access-notices.tsx";
import { Allowed } from "./allowed.tsx";
import { ConfirmationHost } from "./confirmation-host.tsx";
import { OfflineBar } from "./offline-bar.tsx";
import { openPalette, PaletteHost } from "./palette-host.tsx";
import classes from "./shell.module.css";
import { SideNavigation } from "./side-navigation.tsx";
import { StoreName } from "./store-name.tsx";
import { words } from "./words.ts";

const NavigationDrawer = lazy(
  loadCode(() => import("./navigation-drawer.tsx").then((m) => ({ default: m.NavigationDrawer }))),
);

/**
 * The layout of every page: navigation at the left (a drawer on small screens), the page beside it. Opening another page does not render it again.
 */
export function Shell() {
  const t = useWords(words);
  const { can } = useSession();
  useWarmPages();
  useStoredDefaults();
  return (
    <div className={classes["shell"]}>
      <a href="#content" className={classes["skip"]}>
        {t.skip}
      </a>
      <header className={classes["side"]}>
        <div className={classes["sticky"]}>
          <SideNavigation />
        </div>
      </header>
      <Bar />
      <main id="content" tabIndex={-1} className={classes["content"]}>
        <OfflineBar />
        {can("people.manage") ? <AccessNotices /> : null}
        <Allowed>
          <Outlet />
        </Allowed>
      </main>
      <PaletteHost />
      <ConfirmationHost />
    </div>
  );
}

/** The bar of small screens, which opens the navigation; opening a page closes it again. */
function Bar() {
  const t = useWords(words);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  if (openedAt !== null && openedAt !== path) setOpenedAt(null);
  return (
    <>
      <header className={classes["bar"]}>
        <button
          type="button"
          className={classes["menu"]}
          aria-label={t.openNavigation}
          onClick={() => setOpenedAt(path)}
        >
          <MenuIcon />
        </button>
        <StoreName />
        <button type="button" className={classes["find"]} aria-label={t.search} onClick={openPalette}>
          <SearchIcon />
        </button>
      </header>
      {openedAt === path ? (
        <Suspense>
          <NavigationDrawer onClose={() => setOpenedAt(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Other pages that are opened often: a customer, an order. */
const OFTEN = ["/customers/1", "/orders/1"];

/** Loads the code of the pages that the person may open, one after the other while the browser is idle. */
function useWarmPages(): void {
  const router = useRouter();
  const { can } = useSession();
  useEffect(() => {
    const entries = NAVIGATION.flat().filter((entry) => can(entry.permission));
    const paths = [...entries.map(({ path }) => path), ...OFTEN];
    return warmCode(paths.map((path) => () => loadPageCode(router, path)));
  }, [router, can]);
}
