import { PageLink } from "./page-link.tsx";
import classes from "./tab-links.module.css";

interface TabLinksProps {
  /** The name of the tabs for screen readers. */
  label: string;
  tabs: readonly { readonly to: string; readonly label: string; readonly isCurrent: boolean }[];
}

/** The parts of a page, each with its own address. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  return (
    <nav className={classes["tabs"]} aria-label={label}>
      {tabs.map(({ to, label: name, isCurrent }) => (
        <PageLink
          key={to}
          to={to}
          className={classes["tab"] ?? ""}
          {...(isCurrent ? { "aria-current": "page" as const } : {})}
        >
          {name}
        </PageLink>
      ))}
    </nav>
  );
}
