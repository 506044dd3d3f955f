import { requestOrderReviews } from "../customers/request-order-reviews.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockBalances } from "../ledger/balance-queries.ts";
import { type Candidate, decideMove, type EvaluationPlan, type Move, tierName } from "./evaluation-plan.ts";
import {
  countMoved,
  type EvaluationRow,
  holdStep,
  type Spent,
  selectAssignments,
  selectSpentOf,
} from "./evaluation-queries.ts";

const WRITE_TIERS = `insert into customer_tier as t
  (bucket, customer_uid, tier_uid, minimum_tier_uid, skip_next_check, changed_at, designation_uid)
select k.bucket, k.customer_uid, k.tier_uid, k.minimum_tier_uid, k.skip_next_check, $6, $7
from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[], $5::boolean[])
  as k (bucket, customer_uid, tier_uid, minimum_tier_uid, skip_next_check)
on conflict (bucket, customer_uid) do update
set tier_uid = excluded.tier_uid,
  skip_next_check = excluded.skip_next_check,
  changed_at = greatest(t.changed_at, excluded.changed_at),
  designation_uid = excluded.designation_uid`;

const WRITE_CHANGES = `insert into tier_change
  (bucket, customer_uid, uid, changed_at, from_uid, to_uid, from_name, to_name, spend_minor, cause, actor, check_at, program_version)
select k.bucket, k.customer_uid, k.uid, $9, k.from_uid, k.to_uid, k.from_name, k.to_name, k.spend_minor, $10, $11, $12, $13
from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::bigint[])
  as k (bucket, customer_uid, uid, from_uid, to_uid, from_name, to_name, spend_minor)`;

const NOTHING_SPENT: Spent = { spent: 0n, spentBefore: 0n };

interface Moved {
  readonly customer: Candidate;
  readonly move: Move;
}

/**
 * Moves customers of one step of a run who have not been moved yet. The balances are locked first, in key order, like in code that places a
 * customer by hand, and the standings and the spend are read again, because a merge may have changed both; deleted customers stay. Each
 * change stores its cause and spend, and its time is the run's. Orders processed at or after that time that were evaluated with the previous
 * tier are re-evaluated, so that they earn at the tier of a check however late it was made. Returns how many tiers changed.
 */
export async function moveCustomers(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  { run, plan }: { readonly run: EvaluationRow; readonly plan: EvaluationPlan },
  { step, customers }: { readonly step: number; readonly customers: readonly Candidate[] },
): Promise<number> {
  if (!(await holdStep(tx, run.uid, step))) return 0;
  const locked = await lockBalances(tx, customers);
  const live = locked.filter(({ isDeleted }) => !isDeleted); // as the locked row says; a merged customer is another one now
  const [standings, spends] = await Promise.all([selectAssignments(tx, run, live), selectSpentOf(tx, live, plan)]);
  const moved = standings.flatMap((standing): Moved[] => {
    const customer = { ...standing, ...(spends.get(standing.customerUid) ?? NOTHING_SPENT) };
    const move = decideMove(plan, customer);
    return move === null ? [] : [{ customer, move }];
  });
  const changed = moved.filter(({ move }) => move.fromUid !== move.toUid);
  await Promise.all([writeTiers(tx, run, moved), writeChanges(tx, deps, { run, plan }, changed)]);
  await requestOrderReviews(
    tx,
    deps,
    changed.map(({ customer }) => customer),
    { cause: "tier", from: run.at },
  );
  await countMoved(tx, run.uid, changed.length);
  return changed.length;
}

async function writeTiers(tx: Tx, run: EvaluationRow, moved: readonly Moved[]): Promise<void> {
  const written = await tx.execute(WRITE_TIERS, [
    moved.map(({ customer }) => customer.bucket),
    moved.map(({ customer }) => customer.customerUid),
    moved.map(({ customer, move }) => (move.fromUid === move.toUid ? customer.tierUid : move.toUid)),
    moved.map(({ customer }) => customer.minimumTierUid),
    moved.map(({ move }) => move.skipNextCheck),
    run.at,
    run.uid,
  ]);
  if (written !== moved.length) throw new Error(`${written} of ${moved.length} tiers were written`);
}

async function writeChanges(
  tx: Tx,
  deps: Pick<Deps, "random">,
  { run, plan }: { run: EvaluationRow; plan: EvaluationPlan },
  changed: readonly Moved[],
): Promise<void> {
  const { newest, after, before } = plan;
  const nameOf = (uid: string) => tierName(uid, newest, after, before);
  const checkAt = run.kind === "check" ? run.at : null;
  await tx.execute(WRITE_CHANGES, [
    changed.map(({ customer }) => customer.bucket),
    changed.map(({ customer }) => customer.customerUid),
    changed.map(() => deps.random.uid()),
    changed.map(({ move }) => move.fromUid),
    changed.map(({ move }) => move.toUid),
    changed.map(({ move }) => nameOf(move.fromUid)),
    changed.map(({ move }) => nameOf(move.toUid)),
    changed.map(({ customer }) => customer.spent),
    run.at,
    run.kind,
    run.actor,
    checkAt,
    run.programVersion,
  ]);
}
