import { isDatabaseAway } from "../../db/database-away.ts";
import type { Deps } from "../../deps.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { selectVersionStarts, type VersionStart } from "../../program/program-queries.ts";
import { lockOrder } from "../order-queries.ts";
import {
  advanceProgramReview,
  beginReviews,
  countChange,
  finishReview,
  type ProgramReview,
  selectOpenReview,
  selectReviewPage,
} from "./program-review-queries.ts";
import { reevaluateOrder } from "./reevaluate-order.ts";

/** Orders read at once; those that are already evaluated correctly cost only this read. */
const BATCH = 200;
/** Orders processed at the same time: a small part of a process's connections. */
const ABREAST = 4;

/**
 * Re-evaluates the next orders of the oldest version that starts in the past (program.md 9), each in its own transaction. It may be killed
 * at any point and run on several nodes at once: finished orders are recognised, and the ledger's keys prevent double counting. An order
 * that fails is logged, counted and skipped. Returns how many orders were processed; null: none are left.
 */
export async function reviewProgram(deps: PostingDeps & Pick<Deps, "db" | "log">): Promise<number | null> {
  await beginReviews(deps.db, deps.clock.now());
  const review = await selectOpenReview(deps.db);
  if (review === undefined) return null;
  const [page, starts] = await Promise.all([selectReviewPage(deps.db, review, BATCH), selectVersionStarts(deps.db)]);
  const last = page.at(-1);
  if (last === undefined) {
    await finish(deps, review);
    return 0;
  }
  const stale = inTurn(
    deps,
    page.flatMap((order): StaleOrder[] => {
      const validVersion = versionAt(starts, order.processedAt);
      return order.programVersion === validVersion ? [] : [{ orderId: order.orderId, validVersion }];
    }),
  );
  let failed = 0;
  while (stale.length > 0) {
    const done = await Promise.all(stale.splice(0, ABREAST).map((order) => reviewOrder(deps, review, order)));
    failed += done.filter((isDone) => !isDone).length;
  }
  await advanceProgramReview(deps.db, review, last, { done: page.length, failed });
  return page.length;
}

/** An order that was evaluated by another version than the one that applies to it. */
interface StaleOrder {
  readonly orderId: string;
  readonly validVersion: number | undefined;
}

/** Shuffles the orders, differently on each node: of two nodes with the same page each processes about half. */
function inTurn({ random }: Pick<Deps, "random">, orders: readonly StaleOrder[]): StaleOrder[] {
  return orders
    .map((order) => ({ order, turn: random.fraction() }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ order }) => order);
}

/** Returns the version that applies to orders of an instant: the one made last among those that have started. */
function versionAt(starts: readonly VersionStart[], instant: Temporal.Instant): number | undefined {
  const holds = ({ validFrom }: VersionStart) =>
    validFrom === null || Temporal.Instant.compare(validFrom, instant) <= 0;
  return starts.findLast(holds)?.version;
}

async function reviewOrder(
  deps: PostingDeps & Pick<Deps, "db" | "log">,
  { version }: ProgramReview,
  { orderId, validVersion }: StaleOrder,
): Promise<boolean> {
  try {
    await deps.db.tx(async (tx) => {
      const order = await lockOrder(tx, orderId);
      if (order === undefined || order.rules?.programVersion === validVersion) return; // another node was first
      const points = await reevaluateOrder(tx, deps, order);
      if (points !== 0n) await countChange(tx, version, points);
    });
    return true;
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    deps.log.error({ error, id: orderId, version }, "re-evaluating an order failed");
    return false;
  }
}

async function finish(deps: Pick<Deps, "db" | "clock" | "log">, review: ProgramReview): Promise<void> {
  const { version, ordersChanged, ordersFailed, pointsChanged } = review;
  const isFirst = await finishReview(deps.db, version, deps.clock.now());
  if (!isFirst || ordersChanged + ordersFailed === 0n) return;
  const counts = { changed: Number(ordersChanged), failed: Number(ordersFailed), points: Number(pointsChanged) };
  deps.log.warn(
    { version, ...counts },
    "orders were re-evaluated by a version of the program that holds for their time",
  );
}
