import { Button, Group } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import type { ViewList } from "../../src/wire/saved-views.ts";
import { loadCode } from "../api/code.ts";
import { useSession } from "../api/session.ts";
import { useWords } from "../words/use-words.ts";
import { ChevronDownIcon } from "./icons.tsx";
import { words } from "./words.ts";

export interface ListActionsProps {
  list: ViewList;
  /** The list's path: `/orders`. */
  path: string;
  /** The path of its file: `/orders.csv`. */
  file: string;
  filters: Readonly<Record<string, string>>;
  /** The filters where none is in use. */
  defaults: Readonly<Record<string, string>>;
  /** What else the page offers. */
  children?: ReactNode;
}

/** The code of menus is as large as that of a page: the rows are there first. */
const ListMenus = lazy(loadCode(async () => ({ default: (await import("./list-menus.tsx")).ListMenus })));
const SETTLED_MS = 2_000;

/** Which menu is opened at once: it was clicked before its code was there. */
export type ListMenu = "views" | "export";

/** What can be done with a list as a whole: its saved views and its file. */
export function ListActions({ children, ...list }: ListActionsProps) {
  const [clicked, setClicked] = useState<ListMenu | null>(null);
  const isSettled = useSettled();
  const coming = <Coming onClick={setClicked} />;
  return (
    <Group gap={8}>
      {children}
      {isSettled || clicked !== null ? (
        <Suspense fallback={coming}>
          <ListMenus {...list} opened={clicked} />
        </Suspense>
      ) : (
        coming
      )}
    </Group>
  );
}

/** Whether this has been shown for a moment: the rows are there then. */
function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}

/** In the place of the menus, so that nothing moves when they come. */
function Coming({ onClick }: { onClick(menu: ListMenu): void }) {
  const t = useWords(words);
  const mayExport = useSession().can("lists.export");
  const menus = [["views", t.views], ...(mayExport ? [["export", t.export] as const] : [])] as const;
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
