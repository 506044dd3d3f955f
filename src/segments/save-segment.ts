import { recordAction } from "../audit/record-action.ts";
import { isUniqueViolation } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { isOverwrite, type SeenRevision } from "../http/revision.ts";
import { Problem } from "../problems.ts";
import { type SegmentFilter, segmentFilter } from "./segment-filter.ts";
import { beginSegmentList, lockSegment, valuesOfSegment } from "./segment-queries.ts";

/** The most segments; the worker builds their lists again every day. */
const SEGMENTS_MAX = 100;

const COUNT = "select count(*) as count from segment";
const INSERT = `insert into segment (uid, name, filter, created_by, created_at, asked_at, generation, next_bucket)
values ($1, $2, $3::text::jsonb, $4, $5, $5, 1, 0)`;
const UPDATE = "update segment set name = $2, filter = $3::text::jsonb where uid = $1";

/**
 * Saves a filter under a name, as a new segment (`uid` null) or in place of an existing one, and requests its list. Throws `not_found`,
 * `changed_meanwhile`, and `invalid` where another segment has the name or there are too many. Returns the uid.
 */
export async function saveSegment(
  deps: Pick<Deps, "db" | "clock" | "random">,
  given: SeenRevision & {
    readonly uid: string | null;
    readonly name: string;
    readonly filter: SegmentFilter;
    readonly by: string;
  },
): Promise<string> {
  const uid = given.uid ?? deps.random.uid();
  const filter = JSON.stringify(segmentFilter.encode(given.filter));
  try {
    await deps.db.tx(async (tx) => {
      const before = given.uid === null ? undefined : await lockSegment(tx, uid);
      if (given.uid === null) {
        const [row] = await tx.query<{ count: bigint }>(COUNT);
        if (Number(row?.count ?? 0n) >= SEGMENTS_MAX) throw refused("", `expected at most ${SEGMENTS_MAX} segments`);
        await tx.execute(INSERT, [uid, given.name, filter, given.by, deps.clock.now()]);
      } else {
        if (before === undefined) throw new Problem("not_found");
        const values = { stored: valuesOfSegment(before), given: valuesOfSegment(given) };
        if (isOverwrite(given, values)) throw new Problem("changed_meanwhile");
        await tx.execute(UPDATE, [uid, given.name, filter]);
        await beginSegmentList(tx, before, deps.clock.now());
      }
      const action = given.uid === null ? "segment.created" : "segment.changed";
      await recordAction(tx, deps, {
        action,
        subject: { kind: "segment", id: uid },
        ...(before === undefined ? {} : { before: { name: before.name, filter: segmentFilter.encode(before.filter) } }),
        after: { name: given.name, filter: segmentFilter.encode(given.filter) },
      });
    });
  } catch (error) {
    throw isUniqueViolation(error) ? refused("/name", "expected a name that no other segment has") : error;
  }
  return uid;
}

function refused(pointer: string, detail: string): Problem {
  return new Problem("invalid", { faults: [{ pointer, detail }] });
}
