import classes from "./page-pending.module.css";

/** Shown while a page's code is loading: the shape of a title and of rows. */
export function PagePending() {
  return (
    <div className={classes["pending"]} aria-busy="true">
      <span className={classes["title"]} />
      {["a", "b", "c", "d", "e", "f", "g", "h"].map((key) => (
        <span key={key} className={classes["row"]} />
      ))}
    </div>
  );
}
