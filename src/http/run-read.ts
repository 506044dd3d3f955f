import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps, ReadDeps } from "../deps.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The sender has just changed something and must see the change. */
    mustSeeChanges?: true;
  }
}

/**
 * Runs the reads of a GET on the database that `deps.reads` chooses, all of them on the same one. An answer of the replica has an `Age`:
 * its maximum age in seconds, rounded up. With `Cache-Control: no-cache` the primary is read, with `max-age` the replica if it is new
 * enough (RFC 9111).
 */
export async function runRead<T>(
  deps: Deps,
  [request, reply]: readonly [FastifyRequest, FastifyReply],
  work: (deps: ReadDeps) => Promise<T>,
): Promise<T> {
  if (deps.reads.replica() === null) return work(deps);
  const ageMaxMs = request.mustSeeChanges ? 0 : ageMaxOf(request.headers["cache-control"]);
  let age: string | undefined;
  const answer = await deps.reads.run(
    ({ db, ageMs }) => {
      age = ageMs === null ? undefined : String(Math.ceil(ageMs / 1_000));
      return work({ ...deps, db, isReplica: ageMs !== null });
    },
    ageMaxMs === null ? {} : { sinceMs: performance.now() - ageMaxMs },
  );
  if (age !== undefined) reply.header("age", age);
  return answer;
}

/** Returns the maximum age that a request's `Cache-Control` header allows, in milliseconds; null: it sets none. */
function ageMaxOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/\bno-(?:cache|store)\b/i.test(header)) return 0;
  const seconds = /\bmax-age=(\d{1,7})\b/i.exec(header)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}
