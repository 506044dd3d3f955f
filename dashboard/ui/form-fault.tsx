import type { ReactNode } from "react";
import classes from "./form-fault.module.css";

/** What is wrong with a form as a whole, above its button. */
export function FormFault({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={classes["fault"]}>
      {children}
    </div>
  );
}
