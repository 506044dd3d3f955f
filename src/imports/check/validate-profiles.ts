import type { CustomerRow } from "../../customers/customer.ts";
import { selectByEmails, selectByStorefrontIds } from "../../customers/customer-queries.ts";
import type { Tx } from "../../db/pool.ts";
import type { CsvImport } from "../csv-import.ts";
import { issueOf, type RowIssue, type StoredIssue, storedIssue } from "../issue.ts";
import type { ValidProfile } from "../profile-queries.ts";
import { extraCells, isIssue, type Read } from "../read/cells.ts";
import { type ProfileValues, profileValues } from "../read/profile-values.ts";
import type { FileRow } from "../read/read-rows.ts";
import { type CheckBatch, type CheckedRows, isEmailTaken, isOtherAddress } from "./valid-row.ts";

/** The customers with the ids and e-mails of some rows. */
interface Known {
  readonly byId: ReadonlyMap<string, CustomerRow>;
  /** At most two of each. */
  readonly byEmail: ReadonlyMap<string | null, readonly CustomerRow[]>;
  /** Known customers stay as they are. */
  readonly addsOnly: boolean;
}

/** Separates the valid rows of a file of customers, known or not, from those with issues. */
export async function validateProfiles(tx: Tx, file: CsvImport, batch: CheckBatch): Promise<CheckedRows<ValidProfile>> {
  const read = batch.rows.map((row) => ({ row, values: valuesOf(file, batch, row) }));
  const readable = read.flatMap(({ values }) => ("issues" in values ? [] : [values]));
  const ids = readable.flatMap(({ storefrontId }) => (isIssue(storefrontId) ? [] : [storefrontId]));
  const emails = readable.flatMap(({ profile }) => profile.email ?? []);
  const [byId, byEmail] = await Promise.all([
    selectByStorefrontIds(tx, [...new Set(ids)]),
    selectByEmails(tx, [...new Set(emails)]),
  ]);
  const { addsOnly, matchByEmail } = file.options;
  const validate = matchByEmail ? validateByEmail : validateById;
  const valid: ValidProfile[] = [];
  const issues: StoredIssue[] = [];
  for (const { row, values } of read) {
    if ("issues" in values) {
      issues.push(...values.issues.map((issue) => storedIssue(row, issue)));
      continue;
    }
    const result = validate(values, { byId, byEmail, addsOnly });
    if (isIssue(result)) issues.push(storedIssue(row, result));
    else valid.push({ ...result, profile: values.profile, n: row.n, line: row.line });
  }
  return { valid, issues };
}

type Validated = Pick<ValidProfile, "storefrontId" | "shownId"> | RowIssue;

/** The row refers to the customer of its id; no other customer may have its e-mail, and a member who is known only by e-mail no other one. */
function validateById({ storefrontId: id, profile }: ProfileValues, { byId, byEmail, addsOnly }: Known): Validated {
  if (isIssue(id)) return id;
  const customer = byId.get(id);
  if (customer !== undefined && customer.deletedAt !== null) return issueOf("customer_deleted", "id", id);
  const { email } = profile;
  if (!addsOnly && isOtherAddress(email, customer)) return issueOf("id_of_another", "id", id);
  if (email && isEmailTaken(email, customer, byEmail)) return issueOf("email_taken", "email", email);
  return { storefrontId: id, shownId: customer?.storefrontId ?? id };
}

/** The row refers to the customer of its e-mail; its id is used only for an unknown customer, and only if the id is free. */
function validateByEmail({ storefrontId: id, profile }: ProfileValues, { byId, byEmail }: Known): Validated {
  const email = profile.email ?? "";
  const [holder, another] = byEmail.get(email) ?? [];
  if (another !== undefined) return issueOf("customer_ambiguous", "email", email);
  if (holder !== undefined) return { storefrontId: holder.storefrontId, shownId: holder.storefrontId };
  if (isIssue(id)) return id;
  if (byId.has(id)) return issueOf("id_taken", "id", id);
  return { storefrontId: id, shownId: id };
}

function valuesOf(
  { columns, options }: CsvImport,
  { headerCount }: CheckBatch,
  { cells }: FileRow,
): Read<ProfileValues> {
  const extra = extraCells(cells, headerCount);
  return extra.length > 0 ? { issues: extra } : profileValues(cells, columns, options.matchByEmail);
}
