import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { EXPECTED_ORIGIN, ORIGINS_MAX, parseOrigin } from "./storefront-origin.ts";

const LOCK = "select pg_advisory_xact_lock(hashtextextended('pointkeeper storefront origins', 0))";

/** Lets pages of an origin use customer tokens; does nothing if they already may. 422 if the text is not an origin. Returns the origin as stored. */
export async function allowStorefrontOrigin(deps: Pick<Deps, "db" | "clock">, text: string): Promise<string> {
  const origin = parseOrigin(text);
  if (origin === null) throw invalid("/origin", EXPECTED_ORIGIN);
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK);
    const others = await tx.query("select from storefront_origin where origin <> $1", [origin]);
    if (others.length >= ORIGINS_MAX) throw invalid("/origin", `expected at most ${ORIGINS_MAX} origins`);
    await tx.execute("insert into storefront_origin (origin, created_at) values ($1, $2) on conflict do nothing", [
      origin,
      deps.clock.now(),
    ]);
  });
  return origin;
}
