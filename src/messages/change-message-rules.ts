import type { Deps } from "../deps.ts";
import { isOverwrite, type SeenRevision } from "../http/revision.ts";
import { Problem } from "../problems.ts";
import { type MessageRules, valuesOfRules } from "./message.ts";
import { selectMessageRules, writeMessageRules } from "./message-queries.ts";

/** Replaces the settings of all kinds. Throws `changed_meanwhile`. */
export async function changeMessageRules(
  deps: Pick<Deps, "db">,
  rules: MessageRules,
  seen: SeenRevision,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const values = { stored: valuesOfRules(await selectMessageRules(tx, "update")), given: valuesOfRules(rules) };
    if (isOverwrite(seen, values)) throw new Problem("changed_meanwhile");
    await writeMessageRules(tx, rules);
  });
}
