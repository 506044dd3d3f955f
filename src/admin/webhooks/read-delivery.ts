import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { selectAttempts, selectDelivery } from "./one-delivery-queries.ts";
import type { DeliveryAnswer } from "./schema.ts";
import { viewOneDelivery } from "./view.ts";

/** One delivery with its attempts; its payload and what the receiver answered where `isPersonal`. Throws `not_found`. */
export async function readDelivery(
  deps: Pick<Deps, "db">,
  uid: string,
  isPersonal: boolean,
): Promise<DeliveryAnswer["data"]> {
  const one = await selectDelivery(deps.db, uid);
  if (one === undefined) throw new Problem("not_found");
  return viewOneDelivery(one, await selectAttempts(deps.db, one), isPersonal);
}
