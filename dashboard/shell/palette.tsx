import "@mantine/spotlight/styles.layer.css";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useSession } from "../api/session.ts";
import { ACTIONS, NAVIGATION } from "../navigation.ts";
import { SearchIcon } from "../ui/icons.tsx";
import { useGo } from "../ui/use-go.ts";
import { useLanguage } from "../words/language.tsx";
import { useWords } from "../words/use-words.ts";
import classes from "./palette.module.css";
import { usePaletteFinds } from "./use-palette-finds.ts";
import { words } from "./words.ts";

const [store, actions] = createSpotlight();

/** So much of a name and it is meant, not a customer. */
const MEANT_LENGTH = 3;

interface PaletteProps {
  query: string;
  /** Whether Enter was pressed before the field had the focus. */
  isEntered: boolean;
  onQuery(query: string): void;
  onClose(): void;
}

/** The palette: pages and actions by name, customers and orders by what is typed; Enter goes to the first, also when it is still awaited. */
export function Palette({ query, isEntered, onQuery, onClose }: PaletteProps) {
  const t = useWords(words);
  const pages = usePages(query);
  const { customers, orders, isSearching } = usePaletteFinds(query);
  useEffect(() => actions.open(), []);
  const isMeant = query.trim().length >= MEANT_LENGTH && pages.some(({ isPrefix }) => isPrefix);
  const keys = useFirstSelected({ query, isEntered, isAwaited: isSearching && !isMeant });
  const isEmpty = pages.length + customers.length + orders.length === 0;
  const pageGroup = <Group label={t.pages} finds={pages} onClose={onClose} />;
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={onQuery}
      onSpotlightClose={onClose}
      scrollable
      maxHeight={480}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      removeScrollProps={{ removeScrollBar: false }}
      role="search"
      aria-label={t.search}
      classNames={{ actionDescription: classes["description"] ?? "" }}
    >
      <Spotlight.Search
        data-palette
        placeholder={t.paletteHint}
        aria-label={t.search}
        leftSection={<SearchIcon />}
        onKeyDownCapture={keys}
      />
      <Spotlight.ActionsList data-palette-list>
        {isMeant ? pageGroup : null}
        <Group label={t.customers} finds={customers} onClose={onClose} />
        <Group label={t.orders} finds={orders} onClose={onClose} />
        {isMeant ? null : pageGroup}
        {isEmpty && !isSearching ? <Spotlight.Empty>{t.paletteEmpty}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/**
 * Keeps the first result selected, whenever results arrive, until the person moves the selection. Enter while they are awaited goes to the
 * first when they are there. Returns what looks at the keys of the field first.
 */
function useFirstSelected({
  query,
  isEntered,
  isAwaited,
}: {
  query: string;
  isEntered: boolean;
  isAwaited: boolean;
}): (event: KeyboardEvent) => void {
  const movedFor = useRef<string | null>(null);
  const enteredFor = useRef<string | null>(null);
  const wasEntered = useRef(false);
  if (isEntered && !wasEntered.current) enteredFor.current = query;
  wasEntered.current = isEntered;
  // The library selects by the element's attribute, and only when something is typed.
  useEffect(() => {
    if (movedFor.current === query) return;
    const all = [...document.querySelectorAll<HTMLElement>("[data-palette-list] [data-action]")];
    for (const one of all) one.removeAttribute("data-selected");
    all[0]?.setAttribute("data-selected", "true");
    store.updateState((state) => (state.selected === 0 ? state : { ...state, selected: 0 }));
    if (isAwaited || enteredFor.current !== query) return;
    enteredFor.current = null;
    all[0]?.click();
  });
  return (event) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") movedFor.current = query;
    if (event.key !== "Enter" || !isAwaited || movedFor.current === query) return;
    event.preventDefault();
    event.stopPropagation();
    enteredFor.current = query;
  };
}

export interface Find {
  readonly path: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon?: ReactNode;
}

function Group({ label, finds, onClose }: { label: string; finds: readonly Find[]; onClose(): void }) {
  const go = useGo();
  if (finds.length === 0) return null;
  // The library says that it has closed only after it has drawn: a key that opens the palette anew before would close it.
  const choose = (path: string) => {
    onClose();
    go(path);
  };
  return (
    <Spotlight.ActionsGroup label={label}>
      {finds.map(({ path, label: name, hint, icon }) => (
        <Spotlight.Action
          key={`${path} ${name}`}
          label={name}
          {...(hint === undefined ? {} : { description: hint })}
          leftSection={icon}
          onClick={() => choose(path)}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

/** Pages and actions whose name or keywords have what is typed; those whose name begins so are meant by it. */
function usePages(query: string): readonly (Find & { readonly isPrefix: boolean })[] {
  const { can } = useSession();
  const { language } = useLanguage();
  const wanted = query.trim().toLowerCase();
  const pages = NAVIGATION.flat().map((page) => ({ ...page, keywords: "" }));
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
