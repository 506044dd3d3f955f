import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { ShownView } from "../../../src/admin/saved-views/schema.ts";
import { VIEW_FILTERS, type ViewList } from "../../../src/wire/saved-views.ts";
import { dataQuery } from "../../api/client.ts";
import { loadCode } from "../../api/code.ts";
import { useWords } from "../../words/use-words.ts";
import { CheckIcon, ChevronDownIcon } from "../layout/icons.tsx";
import { writeSearch } from "../urls/address.ts";
import { useNavigateTo } from "../urls/use-navigate-to.ts";
import { words } from "../words.ts";
import { hasSameFilters } from "./view-filters.ts";
import { viewWords } from "./view-words.ts";

interface SavedViewsProps {
  list: ViewList;
  /** The list's path: `/orders`. */
  path: string;
  /** The present filters and order. */
  filters: Readonly<Record<string, string>>;
  /** The same without a filter. */
  defaults: Readonly<Record<string, string>>;
  isOpened: boolean;
}

/** Loaded late, because most visits open neither dialog. */
const ViewDialog = lazy(loadCode(async () => ({ default: (await import("./view-dialog.tsx")).ViewDialog })));

/** The keyboard can still reach a disabled item: the menu may have no other. */
const NOTHING = { "aria-disabled": true, closeMenuOnClick: false, c: "dimmed" } as const; // cast: the literals

/** Saved filters and order of a list: a person's own views and shared ones. */
export function SavedViews({ list, path, filters, defaults, isOpened }: SavedViewsProps) {
  const t = useWords(viewWords);
  const common = useWords(words);
  const go = useNavigateTo();
  const views = useViews(list).data ?? [];
  const [asked, setAsked] = useState<"save" | "manage" | null>(null);
  const kept = keptOf(list, filters, defaults);
  const isNothing = hasSameFilters(kept, {});
  const isSame = (view: ShownView) => hasSameFilters(view.filters, kept);
  const item = (view: ShownView) => (
    <Menu.Item
      key={view.uid}
      onClick={() => go(`${path}${writeSearch(view.filters)}`)}
      rightSection={isSame(view) ? <CheckIcon /> : null}
    >
      {view.name}
    </Menu.Item>
  );
  const [own, shared] = [views.filter((view) => !view.is_shared), views.filter((view) => view.is_shared)];
  return (
    <>
      <Menu position="bottom-end" shadow="sm" defaultOpened={isOpened}>
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon />} data-focus-name="views">
            {views.find(isSame)?.name ?? common.views}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: "auto" }}>
          {own.length > 0 ? <Menu.Label>{t.own}</Menu.Label> : null}
          {own.map(item)}
          {shared.length > 0 ? <Menu.Label>{t.shared}</Menu.Label> : null}
          {shared.map(item)}
          {views.length > 0 ? <Menu.Divider /> : null}
          <Menu.Item {...(isNothing ? NOTHING : { onClick: () => setAsked("save") })}>{t.save}</Menu.Item>
          {views.length > 0 ? <Menu.Item onClick={() => setAsked("manage")}>{t.manage}</Menu.Item> : null}
        </Menu.Dropdown>
      </Menu>
      {asked === null ? null : (
        <Suspense fallback={null}>
          <ViewDialog
            {...{ asked, list, kept, views }}
            isPartly={isPartly(kept, filters, defaults)}
            onClose={() => setAsked(null)}
          />
        </Suspense>
      )}
    </>
  );
}

function useViews(list: ViewList) {
  return useQuery({ queryKey: ["views", list], queryFn: dataQuery<ShownView[]>("/views", { list }) });
}

/** Returns the filters in use that a view stores. */
function keptOf(
  list: ViewList,
  filters: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
): Record<string, string> {
  const names: readonly string[] = VIEW_FILTERS[list];
  return Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => names.includes(name) && value !== "" && value !== defaults[name]),
  );
}

/** Whether filters are in use that a view does not store. */
function isPartly(
  kept: Readonly<Record<string, string>>,
  filters: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(filters).some(
    ([name, value]) => name !== "after" && value !== "" && value !== defaults[name] && !(name in kept),
  );
}
