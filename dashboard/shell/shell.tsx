import { Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { loadCode } from "../api/code.ts";
import { useSession } from "../api/session.ts";
import { MenuIcon, SearchIcon } from "../ui/icons.tsx";
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

/** The room of every page: navigation at the left (a drawer on small screens), the page beside it. */
export function Shell() {
  const t = useWords(words);
  const { can } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [openedAt, setOpenedAt] = useState(path);
  if (isOpen && openedAt !== path) setIsOpen(false);
  const open = () => {
    setOpenedAt(path);
    setIsOpen(true);
  };
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
      <header className={classes["bar"]}>
        <button type="button" className={classes["menu"]} aria-label={t.openNavigation} onClick={open}>
          <MenuIcon />
        </button>
        <StoreName />
        <button type="button" className={classes["find"]} aria-label={t.search} onClick={openPalette}>
          <SearchIcon />
        </button>
      </header>
      {isOpen ? (
        <Suspense>
          <NavigationDrawer onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
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
