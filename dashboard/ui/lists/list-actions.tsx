import { Button, Group } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import type { ViewList } from "../../../src/wire/saved-views.ts";
import { loadCode } from "../../api/code.ts";
import { useSession } from "../../api/session.ts";
import { useWords } from "../../words/use-words.ts";
import { ChevronDownIcon } from "../layout/icons.tsx";
import { words } from "../words.ts";

export interface ListActionsProps {
  /** Absent: the list has no saved views, because a view may store none of its filters. */
  list?: ViewList;
  /** The list's path: `/orders`. */
  path: string;
  /** The path of its file: `/orders.csv`. */
  file: string;
  filters: Readonly<Record<string, string>>;
  /** The filters' values when none is in use. */
  defaults: Readonly<Record<string, string>>;
  /** Further actions of the page. */
  children?: ReactNode;
}

/** The menus' code is as large as a page's: the rows are shown first. */
const loadMenus = () => import("./list-menus.tsx");
const ListMenus = lazy(loadCode(async () => ({ default: (await loadMenus()).ListMenus })));
const SETTLED_MS = 2_000;

/** The menu that opens at once, because it was clicked before its code was loaded. */
export type ListMenu = "views" | "export";

/** Actions on a complete list: its saved views, if it has any, and its file. */
export function ListActions({ children, ...list }: ListActionsProps) {
  const [clicked, setClicked] = useState<ListMenu | null>(null);
  const isLoaded = useLoadedMenus();
  const coming = <Coming hasViews={list.list !== undefined} onClick={setClicked} />;
  return (
    <Group gap={8}>
      {children}
      {isLoaded || clicked !== null ? (
        <Suspense fallback={coming}>
          <ListMenus {...list} opened={clicked} />
        </Suspense>
      ) : (
        coming
      )}
    </Group>
  );
}

/**
 * Loads the menus' code once the page has been shown for a moment, so that the rows are there. Nobody asked for it: where it cannot be loaded, as
 * without a connection, the page stays as it is, with what is typed in its forms. A click loads it again; a browser that keeps failed modules then
 * replaces the page as for any other code.
 */
function useLoadedMenus(): boolean {
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    const load = () =>
      void loadMenus().then(
        () => setIsLoaded(true),
        () => undefined,
      );
    const timer = setTimeout(load, SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLoaded;
}

/** Placeholders for the menus, so that nothing moves when they are loaded. */
function Coming({ hasViews, onClick }: { hasViews: boolean; onClick(menu: ListMenu): void }) {
  const t = useWords(words);
  const mayExport = useSession().can("lists.export");
  const menus = [
    ...(hasViews ? [["views", t.views] as const] : []),
    ...(mayExport ? [["export", t.export] as const] : []),
  ];
  return menus.map(([menu, name]) => (
    <Button
      key={menu}
      variant="default"
      aria-haspopup="menu"
      data-focus-name={menu}
      rightSection={<ChevronDownIcon />}
      onClick={() => onClick(menu)}
    >
      {name}
    </Button>
  ));
}
