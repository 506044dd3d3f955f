import { PageLink } from "../../ui/page-link.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { words } from "./words.ts";

export type Tab = "imports" | "exports";

const PATHS: Readonly<Record<Tab, string>> = { imports: "/csv", exports: "/csv/exports" };

/** Files that come in, and files that go out. */
export function TabList({ current }: { current: Tab }) {
  const t = useWords(words);
  const tab = (name: Tab) => (
    <PageLink
      to={PATHS[name]}
      className={classes["tab"] ?? ""}
      {...(name === current ? { "aria-current": "page" as const } : {})}
    >
      {t.tabs[name]}
    </PageLink>
  );
  return (
    <nav className={classes["tabs"]} aria-label={t.title}>
      {tab("imports")}
      {tab("exports")}
    </nav>
  );
}
