import "@mantine/spotlight/styles.layer.css";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { type ReactNode, useEffect, useState } from "react";
import { useSession } from "../api/session.ts";
import { NAVIGATION } from "../navigation.ts";
import { SearchIcon } from "../ui/icons.tsx";
import { useGo } from "../ui/use-go.ts";
import { useLanguage } from "../words/language.tsx";
import { useWords } from "../words/use-words.ts";
import { usePaletteFinds } from "./use-palette-finds.ts";
import { words } from "./words.ts";

const [store, actions] = createSpotlight();

/** The palette: pages by name, customers and orders by what is typed; Enter goes there. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useWords(words);
  const [query, setQuery] = useState("");
  const pages = usePages(query);
  const { customers, orders, isSearching } = usePaletteFinds(query);
  useEffect(() => actions.open(), []);
  const isEmpty = pages.length + customers.length + orders.length === 0;
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      scrollable
      maxHeight={480}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      removeScrollProps={{ removeScrollBar: false }}
      aria-label={t.search}
    >
      <Spotlight.Search placeholder={t.paletteHint} aria-label={t.search} leftSection={<SearchIcon />} />
      <Spotlight.ActionsList>
        <Group label={t.customers} finds={customers} />
        <Group label={t.orders} finds={orders} />
        <Group label={t.pages} finds={pages} />
        {isEmpty && !isSearching ? <Spotlight.Empty>{t.paletteEmpty}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

export interface Find {
  readonly path: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon?: ReactNode;
}

function Group({ label, finds }: { label: string; finds: readonly Find[] }) {
  const go = useGo();
  if (finds.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={label}>
      {finds.map(({ path, label: name, hint, icon }) => (
        <Spotlight.Action
          key={path}
          label={name}
          {...(hint === undefined ? {} : { description: hint })}
          leftSection={icon}
          onClick={() => go(path)}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

function usePages(query: string): Find[] {
  const { can } = useSession();
  const { language } = useLanguage();
  const wanted = query.trim().toLowerCase();
  return NAVIGATION.flat()
    .filter(({ permission }) => can(permission))
    .filter(({ label }) => `${label.en} ${label.ja}`.toLowerCase().includes(wanted))
    .map(({ path, label, icon: Icon }) => ({ path, label: label[language], icon: <Icon /> }));
}
