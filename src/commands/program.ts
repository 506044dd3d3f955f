import { readFile } from "node:fs/promises";
import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { previewReview, type ReviewEffect } from "../orders/review/preview-review.ts";
import { type ProgramReview, selectReview } from "../orders/review/program-review-queries.ts";
import { reviewOrders } from "../orders/review/review-orders.ts";
import { showProgramDocument } from "../program/program-document.ts";
import { completeProgramDocument } from "../program/program-merge.ts";
import { selectProgramVersion } from "../program/program-queries.ts";
import { readProgram } from "../program/read-program.ts";
import { type ChangedProgram, type ChangeProgramInput, changeProgram } from "../tiers/change-program.ts";
import { parseInstant } from "../time/store-time.ts";
import type { Given } from "./command-line.ts";
import { nameUnreadable } from "./name-unreadable.ts";
import { countText, jsonText, jsonTime, print, printLine } from "./output.ts";
import { previewLines } from "./preview-lines.ts";
import { withDeps } from "./with-deps.ts";

/** How long a dry run reads orders, and how long `apply` helps to re-evaluate them; a running service does the rest. */
const LOOK_MS = 10_000;
const REVIEW_MS = 60_000;

/** What was applied, or would be. */
interface Outcome extends ChangedProgram {
  readonly isDryRun: boolean;
  /** Whether a start was given. */
  readonly isForPast: boolean;
  /** For a dry run. */
  readonly effect: ReviewEffect | null;
  /** For a program that applies to past orders. */
  readonly review: ProgramReview | null;
}

/**
 * `pointkeeper program show`, `pointkeeper program apply <file.json> [--dry-run] [--now] [--from <time>]` (program.md 6 and 9): a dry run shows who
 * would move and which orders would be re-evaluated; `--now` lets new tier rules place customers at once instead of at the next check; with `--from`
 * the program applies to orders from a time in the past.
 */
export async function program(given: Given): Promise<number> {
  const {
    action,
    operands: [file = ""],
    options,
  } = given;
  if (action === "show") {
    printLine(jsonText(await withDeps(readDocument), 2));
    return 0;
  }
  const isDryRun = options.has("dry-run");
  const document = await readDocumentFile(file);
  const input = { document, author: options.get("author") ?? "command line", isDryRun, isNow: options.has("now") };
  const outcome = await withDeps((deps) => apply(deps, input, options.get("from")));
  print(given, { json: outcomeDocument(outcome), text: linesOf(outcome) });
  return 0;
}

async function apply(deps: Deps, input: ChangeProgramInput, from: string | undefined): Promise<Outcome> {
  const validFrom = from === undefined ? null : await readStart(deps, from);
  const { isDryRun } = input;
  const looked: { effect: ReviewEffect | null } = { effect: null };
  const changed = await changeProgram(deps, {
    ...input,
    validFrom,
    look: async (tx, { after, validFrom: start }) => {
      looked.effect = await previewReview(tx, deps, { program: after, validFrom: start }, overIn(LOOK_MS));
    },
  });
  const asked = { isDryRun, isForPast: validFrom !== null };
  if (isDryRun || !changed.isNew) return { ...changed, ...asked, effect: looked.effect, review: null };
  await reviewOrders(deps, overIn(REVIEW_MS));
  return { ...changed, ...asked, effect: null, review: (await selectReview(deps.db, changed.version)) ?? null };
}

/** A date is the start of that day in the store's zone. */
async function readStart(deps: Deps, text: string): Promise<Temporal.Instant> {
  const { store } = await readProgram(deps.db);
  const instant = parseInstant(text, { timeZone: store.timeZone, edge: "start" });
  if (instant === null) throw new UsageError(`--from ${text}: expected an ISO 8601 date or date-time`);
  if (Temporal.Instant.compare(instant, deps.clock.now()) <= 0) return instant;
  throw new UsageError(`--from ${text}: expected a time that is not in the future`);
}

function overIn(ms: number): () => boolean {
  const endsAt = performance.now() + ms;
  return () => performance.now() >= endsAt;
}

function linesOf(outcome: Outcome): string[] {
  const { changes, version, preview, moved, validFrom, isNew, isForPast, isDryRun, effect, review } = outcome;
  if (!isNew) return [`Nothing changes: version ${version} is the same.`];
  const lines = changes.map(
    ({ pointer, before, after }) => `${pointer}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
  );
  if (preview !== null) lines.push(...previewLines(preview));
  if (moved > 0) lines.push(`Moved to another tier: ${countText(moved, "customer")}.`);
  if (effect !== null && effect.orders > 0) lines.push(effectLine(effect));
  if (review !== null && review.ordersTotal > 0n) lines.push(...reviewLines(review));
  if (validFrom === null) lines.push("It applies to all earlier orders too: it is the first program applied.");
  else if (isForPast) lines.push(`It applies to orders processed from ${validFrom} on.`);
  return [...lines, isDryRun ? `It would be version ${version}.` : `Version ${version} is now in effect.`];
}

function outcomeDocument({ effect, review, preview, ...outcome }: Outcome) {
  return {
    is_new: outcome.isNew,
    is_dry_run: outcome.isDryRun,
    version: outcome.version,
    changes: outcome.changes.map(({ pointer, before, after }) => ({ pointer, before, after })),
    customers_moved: outcome.moved,
    valid_from: jsonTime(outcome.validFrom),
    customers_moving_now: preview?.now.count ?? null,
    customers_moving_at_next_check: preview?.atCheck.count ?? null,
    orders_to_recalculate: effect?.orders ?? null,
    orders_recalculated: review?.ordersDone ?? null,
    orders_total: review?.ordersTotal ?? null,
    points_changed: review?.pointsChanged ?? null,
  };
}

function effectLine({ orders, lookedAt, changed, pointsMore, pointsLess }: ReviewEffect): string {
  const part = lookedAt < orders ? `of the ${lookedAt} examined ` : "";
  return `${countText(orders, "order")} would be recalculated: ${part}${changed} would earn different points, +${pointsMore} and -${pointsLess}.`;
}

function reviewLines(review: ProgramReview): string[] {
  const { ordersTotal, ordersDone, ordersChanged, ordersFailed, pointsChanged } = review;
  const sign = pointsChanged < 0n ? "" : "+";
  const done = `Recalculated ${countText(ordersDone, "order")}: ${ordersChanged} earned different points, ${sign}${pointsChanged} in total.`;
  return [
    done,
    ...(ordersFailed > 0n ? [`${countText(ordersFailed, "order")} could not be recalculated: see the log.`] : []),
    ...(ordersDone < ordersTotal
      ? [`${countText(ordersTotal - ordersDone, "order")} left: the service continues with them.`]
      : []),
  ];
}

async function readDocument(deps: Deps): Promise<object> {
  const row = await selectProgramVersion(deps.db);
  if (row === undefined) throw new Error("there is no version of the program");
  return showProgramDocument(completeProgramDocument(row.document));
}

async function readDocumentFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    return nameUnreadable(file)(error);
  }
}
