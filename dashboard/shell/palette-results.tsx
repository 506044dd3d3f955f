import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useState } from "react";
import { useSession } from "../api/session.ts";
import { ACTIONS, NAVIGATION } from "../navigation.ts";
import { useGo } from "../ui/use-go.ts";
import { useLanguage } from "../words/language.tsx";
import { useWords } from "../words/use-words.ts";
import classes from "./palette.module.css";
import { usePaletteFinds } from "./use-palette-finds.ts";
import { words } from "./words.ts";

/** With this many characters of a page's name, the page is meant and not a customer. */
const MEANT_LENGTH = 3;

export interface Find {
  readonly path: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon?: ReactNode;
}

interface FindGroup {
  readonly label: string;
  readonly finds: readonly Find[];
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
  const go = useGo();
  const { groups, isSearching, isMeant } = useGroups(query);
  const finds = groups.flatMap((group) => group.finds);
  const choose = (find: Find | undefined) => {
    if (find === undefined) return;
    onClose();
    go(find.path);
  };
  const { selected, idOf } = useSelection({ ...props, finds, isAwaited: isSearching && !isMeant, choose });
  const selectedId = selected === undefined ? null : idOf(selected);
  useLayoutEffect(() => {
    onSelect(selectedId);
    if (selectedId !== null) document.getElementById(selectedId)?.scrollIntoView({ block: "nearest" });
  }, [selectedId, onSelect]);
  return (
    <>
      <div id={listId} role="listbox" aria-label={t.results} className={classes["list"]}>
        {groups.map(({ label, finds: found }) => (
          <Group key={label} label={label}>
            {found.map((find) => (
              <Option key={keyOf(find)} id={idOf(find)} find={find} isSelected={find === selected} choose={choose} />
            ))}
          </Group>
        ))}
      </div>
      <div role="status" className={classes["none"]}>
        {finds.length === 0 && !isSearching ? t.paletteEmpty : null}
      </div>
    </>
  );
}

function keyOf({ path, label }: Find): string {
  return `${path} ${label}`;
}

/** The results in order: pages first if one's name begins with the text. */
function useGroups(query: string) {
  const t = useWords(words);
  const pages = usePages(query);
  const { customers, orders, isSearching } = usePaletteFinds(query);
  const isMeant = query.trim().length >= MEANT_LENGTH && pages.some(({ isPrefix }) => isPrefix);
  const found = [
    { label: t.customers, finds: customers },
    { label: t.orders, finds: orders },
  ];
  const named = { label: t.pages, finds: pages };
  const all: FindGroup[] = isMeant ? [named, ...found] : [...found, named];
  return { groups: all.filter(({ finds }) => finds.length > 0), isSearching, isMeant };
}

interface SelectionOptions extends Pick<PaletteResultsProps, "query" | "enteredFor" | "onEnter" | "onKey"> {
  readonly finds: readonly Find[];
  readonly isAwaited: boolean;
  choose(find: Find | undefined): void;
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** The first result is selected whenever results arrive, until the person moves the selection. */
function useSelection({ query, finds, enteredFor, isAwaited, onEnter, onKey, choose }: SelectionOptions) {
  const prefix = useId();
  const [moved, setMoved] = useState<{ readonly query: string; readonly key: string } | null>(null);
  const movedKey = moved?.query === query ? moved.key : null;
  const selected = finds.find((find) => keyOf(find) === movedKey) ?? finds[0];
  const isEntered = enteredFor === query && !isAwaited;
  useEffect(() => {
    if (isEntered) choose(finds[0]);
  });
  useLayoutEffect(() => {
    onKey.current = (event) => {
      const step = STEPS[event.key];
      if (step === undefined && event.key !== "Enter") return;
      event.preventDefault();
      if (step === undefined && isAwaited && movedKey === null) onEnter();
      else if (step === undefined) choose(selected);
      else {
        const at = selected === undefined ? -1 : finds.indexOf(selected);
        const next = finds[(at + step + finds.length) % finds.length];
        if (next !== undefined) setMoved({ query, key: keyOf(next) });
      }
    };
    return () => {
      onKey.current = null;
    };
  });
  return { selected, idOf: (find: Find) => `${prefix}${encodeURIComponent(keyOf(find))}` };
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
  find: Find;
  isSelected: boolean;
  choose(find: Find): void;
}

/** The field keeps the focus: an option is chosen from the field, or with the pointer. */
function Option({ id, find, isSelected, choose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field names it by aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes its keys
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      className={classes["option"]}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => choose(find)}
    >
      {find.icon}
      <div>
        <div>{find.label}</div>
        {find.hint === undefined || find.hint === "" ? null : <div className={classes["hint"]}>{find.hint}</div>}
      </div>
    </div>
  );
}

/** Pages and actions whose name or keywords contain the text; `isPrefix`: the name begins with it. */
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
