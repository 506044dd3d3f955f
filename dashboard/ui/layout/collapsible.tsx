import type { ReactNode } from "react";
import classes from "./collapsible.module.css";

interface CollapsibleProps {
  title: string;
  children: ReactNode;
}

/** Details that can be opened. */
export function Collapsible({ title, children }: CollapsibleProps) {
  return (
    <details className={classes["collapsible"]}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
