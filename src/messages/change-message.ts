import type { Deps } from "../deps.ts";
import { isOverwrite, type SeenRevision } from "../http/revision.ts";
import { invalid, Problem } from "../problems.ts";
import { LANGUAGES } from "../wire/language.ts";
import { type MessageSetting, valuesOfMessage } from "./message.ts";
import {
  dropTierChanges,
  lockMessageRun,
  RUN_START,
  saveMessageRun,
  selectMessageSetting,
  writeMessageSetting,
} from "./message-queries.ts";
import { textFault } from "./template.ts";

/**
 * Replaces the settings of a message kind. A kind that is turned on starts with what is due from now on. Throws `changed_meanwhile`, and
 * `invalid`, which names the field and, where a placeholder is unknown, the placeholder.
 */
export async function changeMessage(
  deps: Pick<Deps, "db" | "config">,
  setting: MessageSetting,
  seen: SeenRevision = {},
): Promise<void> {
  const { kind, isOn, texts } = setting;
  for (const language of LANGUAGES) {
    const text = texts[language];
    const fault = text === undefined ? null : textFault(kind, text);
    if (fault !== null) throw invalid(`/texts/${language}/${fault.field}`, fault.detail);
  }
  if (isOn && deps.config.mail === null)
    throw invalid("/is_on", "needs a mail server: set POINTKEEPER_SMTP_URL (docs/operations.md)");
  await deps.db.tx(async (tx) => {
    const before = await selectMessageSetting(tx, kind, "update");
    const values = { stored: valuesOfMessage(before), given: valuesOfMessage(setting) };
    if (isOverwrite(seen, values)) throw new Problem("changed_meanwhile");
    await writeMessageSetting(tx, setting);
    if (before.isOn === isOn) return;
    await lockMessageRun(tx, kind);
    await saveMessageRun(tx, kind, { ...RUN_START, doneOn: null, basis: null });
    if (kind === "tier_reached") await dropTierChanges(tx);
  });
}
