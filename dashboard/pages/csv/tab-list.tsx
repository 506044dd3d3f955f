import { TabLinks } from "../../ui/layout/tab-links.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

export const TABS = ["imports", "exports"] as const;
type Tab = (typeof TABS)[number];

const PATHS: Readonly<Record<Tab, string>> = { imports: "/csv", exports: "/csv/exports" };

/** Imports and exports. */
export function TabList({ current }: { current: Tab }) {
  const t = useWords(words);
  const tab = (name: Tab) => ({ to: PATHS[name], label: t.tabs[name], isCurrent: name === current });
  return <TabLinks label={t.title} tabs={TABS.map(tab)} />;
}
