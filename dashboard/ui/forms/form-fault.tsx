import type { ReactNode } from "react";
import classes from "./form-fault.module.css";

/** A fault of a complete form, above its button. */
export function FormFault({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={classes["fault"]}>
      {children}
    </div>
  );
}
