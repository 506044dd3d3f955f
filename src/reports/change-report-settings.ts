import type { Deps } from "../deps.ts";
import { isOverwrite, type SeenRevision } from "../http/revision.ts";
import { isMailAddress } from "../mail/mail.ts";
import { invalid, Problem } from "../problems.ts";
import { REPORT_ADDRESSES_MAX } from "../wire/reports.ts";
import { type ReportSettings, valuesOfSettings } from "./report.ts";
import { selectReportSettings, writeReportSettings } from "./report-queries.ts";

/** Replaces the settings. Throws `changed_meanwhile`, and `invalid`, naming the field. */
export async function changeReportSettings(
  deps: Pick<Deps, "db" | "config">,
  settings: ReportSettings,
  seen: SeenRevision = {},
): Promise<void> {
  const { isOn, kinds, addresses: given, toFolder } = settings;
  const addresses = [...new Set(given.map((address) => address.trim().toLowerCase()))];
  const wrong = addresses.find((address) => !isMailAddress(address));
  if (wrong !== undefined) throw invalid("/addresses", `expected e-mail addresses, not "${wrong.slice(0, 100)}"`);
  if (addresses.length > REPORT_ADDRESSES_MAX)
    throw invalid("/addresses", `expected at most ${REPORT_ADDRESSES_MAX} e-mail addresses`);
  if (addresses.length > 0 && deps.config.mail === null)
    throw invalid("/addresses", "needs a mail server: set POINTKEEPER_SMTP_URL (docs/operations.md)");
  if (toFolder && deps.config.reportsDir === undefined)
    throw invalid("/to_folder", "needs a folder: set POINTKEEPER_REPORTS_DIR (docs/operations.md)");
  if (isOn && kinds.length === 0) throw invalid("/kinds", "expected a report");
  await deps.db.tx(async (tx) => {
    const given = { ...settings, kinds: [...new Set(kinds)], addresses };
    const values = {
      stored: valuesOfSettings(await selectReportSettings(tx, "update")),
      given: valuesOfSettings(given),
    };
    if (isOverwrite(seen, values)) throw new Problem("changed_meanwhile");
    await writeReportSettings(tx, given);
  });
}
