import { type ReactNode, useId } from "react";
import classes from "./section.module.css";

interface SectionProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a small heading and a line. */
export function Section({ title, action, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes["section"]} aria-labelledby={id}>
      <div className={classes["head"]}>
        <h2 id={id} className={classes["title"]}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}
