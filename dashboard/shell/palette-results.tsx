import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useState } from "react";
import { useSession } from "../api/session.ts";
import { ACTIONS, NAVIGATION } from "../navigation.ts";
import { askToLeave } from "../ui/forms/ask-to-leave.ts";
import { useNavigateTo } from "../ui/urls/use-navigate-to.ts";
import { pathWithDefaultView } from "../ui/views/default-views.ts";
import { useDefaultViews } from "../ui/views/use-default-views.ts";
import { useLanguage } from "../words/language.tsx";
import { useWords } from "../words/use-words.ts";
import classes from "./palette.module.css";
import { usePaletteSearch } from "./use-palette-search.ts";
import { words } from "./words.ts";

/** With this many characters of a page's name, the page is meant and not a customer. */
const MEANT_LENGTH = 3;

export interface PaletteItem {
  readonly path: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon?: ReactNode;
}

interface FindGroup {
  readonly label: string;
  readonly items: readonly PaletteItem[];
}

interface PaletteResultsProps {
  query: string;
  listId: string;
  /** The text at which Enter was pressed before its results arrived. */
  enteredFor: string | null;
  onEnter(): void;
  /** Called with the id of the selected option; null: there is none. */
  onSelect(id: string | null): void;
  /** The handler of the field's keys. */
  onKey: RefObject<((event: KeyboardEvent) => void) | null>;
  onClose(): void;
}

/** Pages and actions by name, customers and orders by the search text; Enter opens the first result, even if it has not arrived yet. */
export function PaletteResults(props: PaletteResultsProps) {
  const { query, listId, onSelect, onClose } = props;
  const t = useWords(words);
  const go = useNavigateTo();
  const { groups, isSearching, isMeant } = useGroups(query);
  const items = groups.flatMap((group) => group.items);
  const choose = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    onClose();
    askToLeave(() => go(item.path));
  };
  const { selected, idOf } = useSelection({ ...props, items, isAwaited: isSearching && !isMeant, choose });
  const selectedId = selected === undefined ? null : idOf(selected);
  useLayoutEffect(() => {
    onSelect(selectedId);
    if (selectedId !== null) document.getElementById(selectedId)?.scrollIntoView({ block: "nearest" });
  }, [selectedId, onSelect]);
  return (
    <>
      <div id={listId} role="listbox" aria-label={t.results} className={classes["list"]}>
        {groups.map(({ label, items: groupItems }) => (
          <Group key={label} label={label}>
            {groupItems.map((item) => (
              <Option key={keyOf(item)} id={idOf(item)} item={item} isSelected={item === selected} choose={choose} />
            ))}
          </Group>
        ))}
      </div>
      <div role="status" className={classes["none"]}>
        {items.length === 0 && !isSearching ? t.paletteEmpty : null}
      </div>
    </>
  );
}

function keyOf({ path, label }: PaletteItem): string {
  return `${path} ${label}`;
}

/** The results in order: pages first if one's name begins with the text. */
function useGroups(query: string) {
  const t = useWords(words);
  const pages = usePages(query);
  const { customers, orders, isSearching } = usePaletteSearch(query);
  const isMeant = query.trim().length >= MEANT_LENGTH && pages.some(({ isPrefix }) => isPrefix);
  const found = [
    { label: t.customers, items: customers },
    { label: t.orders, items: orders },
  ];
  const named = { label: t.pages, items: pages };
  const all: FindGroup[] = isMeant ? [named, ...found] : [...found, named];
  return { groups: all.filter(({ items }) => items.length > 0), isSearching, isMeant };
}

interface SelectionOptions extends Pick<PaletteResultsProps, "query" | "enteredFor" | "onEnter" | "onKey"> {
  readonly items: readonly PaletteItem[];
  readonly isAwaited: boolean;
  choose(item: PaletteItem | undefined): void;
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** The first result is selected whenever results arrive, until the person moves the selection. */
function useSelection({ query, items, enteredFor, isAwaited, onEnter, onKey, choose }: SelectionOptions) {
  const prefix = useId();
  const [moved, setMoved] = useState<{ readonly query: string; readonly key: string } | null>(null);
  const movedKey = moved?.query === query ? moved.key : null;
  const selected = items.find((item) => keyOf(item) === movedKey) ?? items[0];
  const isEntered = enteredFor === query && !isAwaited;
  useEffect(() => {
    if (isEntered) choose(items[0]);
  });
  useLayoutEffect(() => {
    onKey.current = (event) => {
      const step = STEPS[event.key];
      if (step === undefined && event.key !== "Enter") return;
      event.preventDefault();
      if (step === undefined && isAwaited && movedKey === null) onEnter();
      else if (step === undefined) choose(selected);
      else {
        const at = selected === undefined ? -1 : items.indexOf(selected);
        const next = items[(at + step + items.length) % items.length];
        if (next !== undefined) setMoved({ query, key: keyOf(next) });
      }
    };
    return () => {
      onKey.current = null;
    };
  });
  return { selected, idOf: (item: PaletteItem) => `${prefix}${encodeURIComponent(keyOf(item))}` };
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, as the pattern of a listbox has it
    <div role="group" aria-labelledby={id}>
      <div id={id} className={classes["label"]}>
        {label}
      </div>
      {children}
    </div>
  );
}

interface OptionProps {
  id: string;
  item: PaletteItem;
  isSelected: boolean;
  choose(item: PaletteItem): void;
}

/** The field keeps the focus: an option is chosen from the field, or with the pointer. */
function Option({ id, item, isSelected, choose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field names it by aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes its keys
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      className={classes["option"]}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => choose(item)}
    >
      {item.icon}
      <div>
        <div>{item.label}</div>
        {item.hint === undefined || item.hint === "" ? null : <div className={classes["hint"]}>{item.hint}</div>}
      </div>
    </div>
  );
}

/** Pages and actions whose name or keywords contain the text; `isPrefix`: the name begins with it. */
function usePages(query: string): readonly (PaletteItem & { readonly isPrefix: boolean })[] {
  const { can } = useSession();
  const { language } = useLanguage();
  const wanted = query.trim().toLowerCase();
  const views = useDefaultViews();
  const pages = NAVIGATION.flat().map((page) => {
    return { ...page, path: pathWithDefaultView(page.path, views), keywords: "" };
  });
  const named = [...pages, ...(wanted === "" ? [] : ACTIONS)];
  return named
    .filter(({ permission }) => can(permission))
    .filter(({ label, keywords }) => `${label.en} ${label.ja} ${keywords}`.toLowerCase().includes(wanted))
    .map(({ path, label, icon: Icon }) => ({
      path,
      label: label[language],
      icon: <Icon />,
      isPrefix: [label.en, label.ja].some((name) => name.toLowerCase().startsWith(wanted)),
    }));
}
