import classes from "./program.module.css";

const BONES = ["a", "b", "c", "d", "e", "f"];

/** A placeholder for a part of the program that is loading. */
export function ProgramSkeleton() {
  return (
    <div className={classes["bones"]} aria-busy="true">
      {BONES.map((bone) => (
        <span key={bone} className={classes["bone"]} />
      ))}
    </div>
  );
}
