import type { ReactNode } from "react";
import classes from "./state.module.css";

interface EmptyStateProps {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
}

/** Shown while there is nothing yet: what it is for, and what to do. */
export function EmptyState({ title, hint, action }: EmptyStateProps) {
  return (
    <div className={classes["state"]}>
      <p className={classes["title"]}>{title}</p>
      {hint === undefined ? null : <div className={classes["hint"]}>{hint}</div>}
      {action === undefined || action === null ? null : <div className={classes["action"]}>{action}</div>}
    </div>
  );
}
