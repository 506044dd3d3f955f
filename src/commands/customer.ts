import { listParts } from "../admin/customers/list-parts.ts";
import { reservationPart, reservationView } from "../admin/customers/parts.ts";
import { selectTimeline } from "../admin/customers/queries.ts";
import { readCustomer } from "../admin/customers/read-customer.ts";
import type { CustomerHead, ReservationRow, TimelineEntry } from "../admin/customers/schema.ts";
import { customerHeadView, ledgerRowView } from "../admin/customers/view.ts";
import { PAGE_ROWS } from "../admin/list.ts";
import { UsageError } from "../config.ts";
import { selectCustomers } from "../customers/customer-queries.ts";
import { findShownCustomer } from "../customers/find-shown-customer.ts";
import type { Deps } from "../deps.ts";
import { accountSentences } from "../explain/account-sentences.ts";
import { explainBalance } from "../explain/explain-balance.ts";
import { readOrderNames } from "../explain/read-order-names.ts";
import { saveBlocks } from "../explain/save-blocks.ts";
import { bucketOf } from "../ledger/customer-ref.ts";
import { Problem } from "../problems.ts";
import { NotFoundError } from "../start/failure-line.ts";
import type { Given } from "./command-line.ts";
import { inTone, pointsText, print, type Shown, shortTime, tableLines } from "./output.ts";
import { isUid } from "./uid-argument.ts";
import { withDeps } from "./with-deps.ts";

const LAST_USUAL = 10;
const FROM_NEWEST = 2n ** 62n;
const NO_TIMES = { asOf: undefined, since: undefined };

/**
 * `pointkeeper customer <id, uid or e-mail> [--last <number>]`: balance, tier, holds, expiries and latest allotments, as the dashboard shows them,
 * and the explanation of the balance.
 */
export async function customer(given: Given): Promise<number> {
  const [named = ""] = given.operands;
  const last = lastOf(given.options.get("last"));
  print(given, await withDeps((deps) => readAll(deps, named, last)));
  return 0;
}

function lastOf(text: string | undefined): number {
  const last = Number(text ?? LAST_USUAL);
  if (/^\d+$/.test(text ?? "0") && last <= PAGE_ROWS) return last;
  throw new UsageError(`--last must be a number from 0 to ${PAGE_ROWS}, not "${text}".`);
}

async function readAll(deps: Deps, named: string, last: number): Promise<Shown> {
  const id = await findId(deps, named);
  const page = await readCustomer(deps, id);
  const head = customerHeadView(page);
  const newest = await selectTimeline(deps.db, page.customer, { before: FROM_NEWEST, type: null });
  const names = await readOrderNames(deps.db, newest);
  const ledger = newest.slice(0, last).map((row) => ledgerRowView(row, names));
  const { rows } = await listParts(deps, id, undefined, reservationPart);
  const now = deps.clock.now();
  const holds = rows.map((row) => reservationView(row, now)).filter(({ state }) => state === "held");
  const explanation = head.deleted_at === null ? await explain(deps, id) : [];
  return { json: { ...head, holds, ledger, explanation }, text: textOf({ head, holds, ledger, explanation }) };
}

/** Returns the storefront id of a customer, given by storefront id, uid or e-mail. */
async function findId(deps: Deps, named: string): Promise<string> {
  try {
    return (await findShownCustomer(deps.db, named)).storefrontId;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "customer_not_found") throw error;
    const uid = named.toLowerCase();
    const [found] = isUid(uid) ? await selectCustomers(deps.db, [{ bucket: bucketOf(uid), customerUid: uid }]) : [];
    if (found !== undefined) return found.storefrontId;
    throw new NotFoundError(`There is no customer "${named}": expected a storefront id, a uid or an e-mail address.`);
  }
}

async function explain(deps: Deps, id: string): Promise<string[]> {
  await saveBlocks(deps, id);
  const explanation = await explainBalance(deps, id, NO_TIMES);
  return accountSentences(explanation, "en");
}

interface ShownCustomer {
  readonly head: CustomerHead;
  readonly holds: readonly ReservationRow[];
  readonly ledger: readonly TimelineEntry[];
  readonly explanation: readonly string[];
}

function textOf({ head, holds, ledger, explanation }: ShownCustomer): string[] {
  const { name, email, deleted_at: deletedAt } = head;
  const title = [name ?? "(no name)", ...(email === null ? [] : [`<${email}>`])].join(" ");
  return [
    inTone("title", deletedAt === null ? title : `${title}, deleted or merged ${shortTime(deletedAt)}`),
    ...factsOf(head).map(([what, value]) => `${what.padEnd(14)}${value}`),
    ...part(
      "Expiries",
      head.expiries.map((expiry) => [shortTime(expiry.expires_at), pointsText(expiry.points)]),
    ),
    ...part(
      "Holds",
      holds.map((hold) => [hold.uid, pointsText(hold.point_value), untilText(hold.expires_at), hold.app_reference]),
    ),
    ...part(
      "Waiting for a second person",
      head.waiting.map((waiting) => [waiting.uid, pointsText(waiting.point_value), waiting.requested_name]),
    ),
    ...part("Last allotments", ledger.map(ledgerCellsOf)),
    ...(explanation.length === 0 ? [] : ["", inTone("title", "Why"), ...explanation.map((line) => `  ${line}`)]),
  ];
}

function factsOf({ id, uid, tags, created_at: createdAt, balance, tier, merged }: CustomerHead): [string, string][] {
  const { available, held, owed, expires_at: expiresAt } = balance;
  const facts: [string, string][] = [
    ["id", id],
    ["uid", uid],
    ["since", shortTime(createdAt)],
    ["available", `${pointsText(available)} points`],
  ];
  if (held !== 0) facts.push(["held", `${pointsText(held)} points`]);
  if (owed !== 0) facts.push(["owed", `${pointsText(owed)} points, taken from what is earned next`]);
  if (expiresAt !== null) facts.push(["next expiry", shortTime(expiresAt)]);
  if (tier !== null) facts.push(["tier", tierText(tier)]);
  if (tags.length > 0) facts.push(["tags", tags.join(", ")]);
  if (merged.length > 0) facts.push(["merged", merged.map((one) => one.id).join(", ")]);
  return facts;
}

function tierText({
  name,
  deadline,
  spent,
  next_uid: nextUid,
  tiers,
  skip_next_check: isSkipped,
}: NonNullable<CustomerHead["tier"]>): string {
  const next = tiers.find(({ uid }) => uid === nextUid);
  const nextText = next === undefined ? "" : `, ${pointsText(next.remaining)} more for ${next.name}`;
  const skipText = isSkipped ? ", which is skipped" : "";
  return `${name}: spent ${pointsText(spent)}${nextText}; next check ${shortTime(deadline)}${skipText}`;
}

function ledgerCellsOf(row: TimelineEntry): string[] {
  const sign = row.point_value > 0 ? "+" : "";
  const tone = row.point_value < 0 ? "bad" : "good";
  const reason = [row.reason_type, row.note, row.parent, row.object, row.action, row.actor].filter(
    (text) => text !== null,
  );
  return [
    shortTime(row.allotted_at),
    inTone(tone, `${sign}${pointsText(row.point_value)}`),
    `= ${pointsText(row.balance_after)}`,
    row.type,
    reason.join(", ") || row.app_reference,
  ];
}

function untilText(expiresAt: string | null): string {
  return expiresAt === null ? "without end" : `until ${shortTime(expiresAt)}`;
}

function part(title: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const lines = tableLines(
    (rows[0] ?? []).map(() => ""),
    rows,
    { header: "none" },
  );
  return ["", inTone("title", title), ...lines.map((line) => `  ${line}`)];
}
