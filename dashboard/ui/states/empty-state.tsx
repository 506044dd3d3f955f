import type { ReactNode } from "react";
import classes from "./state.module.css";

interface EmptyStateProps {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  /** It is all that the page has: its title is the page's. */
  isPage?: boolean;
}

/** Shown while there is nothing yet: what it is for, and what to do. */
export function EmptyState({ title, hint, action, isPage = false }: EmptyStateProps) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className={classes["state"]}>
      <Title className={classes["title"]}>{title}</Title>
      {hint === undefined ? null : <div className={classes["hint"]}>{hint}</div>}
      {action === undefined || action === null ? null : <div className={classes["action"]}>{action}</div>}
    </div>
  );
}
