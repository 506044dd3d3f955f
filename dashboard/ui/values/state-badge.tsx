import type { ReactNode } from "react";
import classes from "./state-badge.module.css";

export type Tone = "good" | "bad" | "warn" | "neutral";

/** A state in a word; its colour is only an addition. */
export function StateBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes["badge"]} data-tone={tone}>
      {children}
    </span>
  );
}
