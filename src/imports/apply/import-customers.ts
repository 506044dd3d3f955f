import { lockEmails } from "../../customers/claim-queries.ts";
import type { CustomerRow } from "../../customers/customer.ts";
import { selectByEmails, selectByStorefrontIds } from "../../customers/customer-queries.ts";
import { upsertCustomers } from "../../customers/upsert-customers.ts";
import { patchOfBody } from "../../customers/view.ts";
import type { Tx } from "../../db/pool.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { isEmailTaken, isOtherAddress } from "../check/valid-row.ts";
import type { CsvImport } from "../csv-import.ts";
import { issueOf, type StoredIssue, storedIssue } from "../issue.ts";
import { dropProfiles, selectNextProfiles, type WorkProfile } from "../profile-queries.ts";
import type { ShardBatch } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";
import { changeOf, insertChanges } from "./change-queries.ts";

/**
 * Creates and changes the customers of a shard's next rows like a `PUT` of each (program.md 2), in the same way as `importPoints` posts points. The
 * rows are removed, and the data for undoing them is kept. If a customer was deleted since the check, another customer has got the e-mail, or a member
 * who is known only by e-mail has another one, this is stored as an issue.
 */
export async function importCustomers(
  tx: Tx,
  deps: PostingDeps,
  { uid, options }: CsvImport,
  { shard, size }: ShardBatch,
): Promise<boolean> {
  const from = await lockShard(tx, uid, "import", shard);
  if (from === undefined) return false;
  const rows = await selectNextProfiles(tx, { uid, shard, from, limit: size });
  const last = rows.at(-1);
  if (last === undefined) return false;
  // of two moves of the same new customers, the second one sees the customers that the first one created
  if (options.addsOnly) await lockEmails(tx, emailsOf(rows));
  const { free, refused, byId } = await partition(tx, rows, options.addsOnly);
  const known = options.addsOnly ? byId : NOBODY;
  const patches = free.map(({ storefrontId, profile }) =>
    patchOfBody(storefrontId, known.has(storefrontId) ? {} : profile),
  );
  const results = await upsertCustomers(tx, deps, patches);
  const gone = free.filter((_, i) => results[i]?.customer.deletedAt !== null);
  const issues: StoredIssue[] = [
    ...gone.map((row) => storedIssue(row, issueOf("customer_gone", "id", null))),
    ...refused,
  ];
  const changes = free.flatMap((row, i) => (results[i] === undefined ? [] : (changeOf(row, results[i]) ?? [])));
  const counts = {
    rows: rows.length,
    valid: rows.length - issues.length,
    added: 0n,
    taken: 0n,
    created: results.filter(({ created }) => created).length,
    changed: results.filter(({ created, changed }) => !created && changed.length > 0).length,
  };
  await Promise.all([
    insertChanges(tx, uid, changes),
    insertIssues(tx, uid, "import", issues),
    dropProfiles(tx, { uid, shard, from, upTo: last }),
    advanceShard(tx, { uid, phase: "import", shard }, last, counts),
  ]);
  return rows.length === size;
}

const NOBODY: ReadonlyMap<string, CustomerRow> = new Map();

const emailsOf = (rows: readonly WorkProfile[]) => [...new Set(rows.flatMap(({ profile }) => profile.email ?? []))];

const idsOf = (rows: readonly WorkProfile[]) => [...new Set(rows.map(({ storefrontId }) => storefrontId))];

interface Partition {
  readonly free: readonly WorkProfile[];
  readonly refused: readonly StoredIssue[];
  /** The customers of all rows, by id. */
  readonly byId: ReadonlyMap<string, CustomerRow>;
}

/** Separates the rows that can be imported from those that no longer can because of their e-mail. `addsOnly`: known customers stay as they are. */
async function partition(tx: Tx, rows: readonly WorkProfile[], addsOnly: boolean): Promise<Partition> {
  const [byEmail, byId] = await Promise.all([
    selectByEmails(tx, emailsOf(rows)),
    selectByStorefrontIds(tx, idsOf(rows)),
  ]);
  const free: WorkProfile[] = [];
  const refused: StoredIssue[] = [];
  for (const row of rows) {
    const { storefrontId, profile } = row;
    const email = profile.email ?? null;
    const customer = byId.get(storefrontId);
    if (email !== null && isEmailTaken(email, customer, byEmail))
      refused.push(storedIssue(row, issueOf("email_taken", "email", email)));
    else if (!addsOnly && isOtherAddress(email, customer))
      refused.push(storedIssue(row, issueOf("id_of_another", "id", storefrontId)));
    else free.push(row);
  }
  return { free, refused, byId };
}
