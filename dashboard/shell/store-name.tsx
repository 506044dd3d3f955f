import { useSession } from "../api/session.ts";
import classes from "./side-navigation.module.css";

/** Whose points these are. */
export function StoreName() {
  const { name } = useSession().store;
  return (
    <div className={classes["store"]}>
      <span className={classes["mark"]} aria-hidden="true">
        {Array.from(name)[0]}
      </span>
      <span className={classes["storeName"]}>{name}</span>
    </div>
  );
}
