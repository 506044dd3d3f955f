import { Problem } from "../problems.ts";

/**
 * The refusal (`import_state`, 409) of a check or a start of an import that is a part of another app's file, where the file itself does not do it: its
 * worker starts a part without another look at anybody's allowance, in the order of the parts, and only for rows that the file's check accepted.
 */
export function partOfMove(step: "checked" | "started"): Problem {
  const detail = `expected an import of its own: this one is a part of a file of another app, which is ${step} as a whole`;
  return new Problem("import_state", { faults: [{ detail }] });
}
