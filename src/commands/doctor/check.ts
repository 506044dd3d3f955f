import type { Deps } from "../../deps.ts";
import type { OpenDatabase } from "../../start/open-database.ts";

/** The result of a check. */
export interface Finding {
  readonly state: "ok" | "warn" | "fail";
  /** The observed state. */
  readonly says: string;
  /** What to do about it; absent if nothing is wrong. */
  readonly todo?: string;
}

/** What the checks of a database are given. */
export interface DatabaseContext {
  readonly deps: Deps;
  readonly database: OpenDatabase;
}

/** One check of `pointkeeper doctor`. To add one, add an entry to a list of this folder: machine, database, role or store. */
export interface Check<Context> {
  readonly name: string;
  /** Returns null if there is nothing to check. A thrown error is a failed check. */
  readonly run: (context: Context) => Promise<Finding | null> | Finding | null;
}
