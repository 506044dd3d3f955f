import { apiUrl } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import classes from "./side-navigation.module.css";

/** The store's name, with its logo or the first letter of its name. */
export function StoreName() {
  const { name, theme } = useSession().store;
  return (
    <div className={classes["store"]}>
      {theme.logo === null ? (
        <span className={classes["mark"]} aria-hidden="true">
          {Array.from(name)[0]}
        </span>
      ) : (
        <img className={classes["logo"]} alt="" src={apiUrl("/theme/logo.png", { v: theme.logo })} />
      )}
      <span className={classes["storeName"]}>{name}</span>
    </div>
  );
}
