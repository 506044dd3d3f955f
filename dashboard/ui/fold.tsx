import type { ReactNode } from "react";
import classes from "./fold.module.css";

interface FoldProps {
  title: string;
  children: ReactNode;
}

/** Details that can be opened. */
export function Fold({ title, children }: FoldProps) {
  return (
    <details className={classes["fold"]}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
