import type { CustomerRow } from "../../customers/customer.ts";
import { selectByEmails, selectByStorefrontIds } from "../../customers/customer-queries.ts";
import type { Tx } from "../../db/pool.ts";
import type { CsvImport } from "../csv-import.ts";
import { faultOf, type RowFault, type StoredFault, storedFault } from "../fault.ts";
import type { ValidProfile } from "../profile-queries.ts";
import { extraCells, isFault, type Read } from "../read/cells.ts";
import { type ProfileValues, profileValues } from "../read/profile-values.ts";
import type { FileRow } from "../read/read-rows.ts";
import type { CheckBatch, CheckedRows } from "./checked-rows.ts";
import { isTaken } from "./taken-email.ts";

/** Who is known by the ids and e-mails of some rows. */
interface Known {
  readonly byId: ReadonlyMap<string, CustomerRow>;
  /** At most two of each. */
  readonly byEmail: ReadonlyMap<string | null, readonly CustomerRow[]>;
}

/** Tells the good rows of a file of customers, those that nobody knows yet among them, from those with faults. */
export async function validateProfiles(tx: Tx, file: CsvImport, batch: CheckBatch): Promise<CheckedRows<ValidProfile>> {
  const read = batch.rows.map((row) => ({ row, values: valuesOf(file, batch, row) }));
  const readable = read.flatMap(({ values }) => ("faults" in values ? [] : [values]));
  const ids = readable.flatMap(({ storefrontId }) => (isFault(storefrontId) ? [] : [storefrontId]));
  const emails = readable.flatMap(({ profile }) => profile.email ?? []);
  const [byId, byEmail] = await Promise.all([
    selectByStorefrontIds(tx, [...new Set(ids)]),
    selectByEmails(tx, [...new Set(emails)]),
  ]);
  const judge = file.options.matchByEmail ? judgeByEmail : judgeById;
  const good: ValidProfile[] = [];
  const faults: StoredFault[] = [];
  for (const { row, values } of read) {
    if ("faults" in values) {
      faults.push(...values.faults.map((fault) => storedFault(row, fault)));
      continue;
    }
    const judged = judge(values, { byId, byEmail });
    if (isFault(judged)) faults.push(storedFault(row, judged));
    else good.push({ ...judged, profile: values.profile, n: row.n, line: row.line });
  }
  return { good, faults };
}

type Judged = Pick<ValidProfile, "storefrontId" | "shownId"> | RowFault;

/** The row means the customer of its id, whose e-mail nobody else may have. */
function judgeById({ storefrontId: id, profile }: ProfileValues, { byId, byEmail }: Known): Judged {
  if (isFault(id)) return id;
  const customer = byId.get(id);
  if (customer !== undefined && customer.deletedAt !== null) return faultOf("customer_deleted", "id", id);
  const { email } = profile;
  if (email && isTaken(email, customer, byEmail)) return faultOf("email_taken", "email", email);
  return { storefrontId: id, shownId: customer?.storefrontId ?? id };
}

/** The row means the customer of its e-mail; its id is taken for one whom nobody knows alone, and where it is nobody's. */
function judgeByEmail({ storefrontId: id, profile }: ProfileValues, { byId, byEmail }: Known): Judged {
  const email = profile.email ?? "";
  const [holder, another] = byEmail.get(email) ?? [];
  if (another !== undefined) return faultOf("customer_ambiguous", "email", email);
  if (holder !== undefined) return { storefrontId: holder.storefrontId, shownId: holder.storefrontId };
  if (isFault(id)) return id;
  if (byId.has(id)) return faultOf("id_taken", "id", id);
  return { storefrontId: id, shownId: id };
}

function valuesOf(
  { columns, options }: CsvImport,
  { headerCount }: CheckBatch,
  { cells }: FileRow,
): Read<ProfileValues> {
  const extra = extraCells(cells, headerCount);
  return extra.length > 0 ? { faults: extra } : profileValues(cells, columns, options.matchByEmail);
}
