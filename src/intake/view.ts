import type { Static } from "typebox";
import type { NewReceipt, ReceiptStatus } from "./receipt.ts";
import type { eventsAnswer } from "./schema.ts";

/** The answer of `POST /intake/events`: one entry an event, in the order in which they were sent. */
export function viewTaken(
  receipts: readonly Pick<NewReceipt, "deliveryKey">[],
  statuses: readonly ReceiptStatus[],
): Static<typeof eventsAnswer> {
  const data = statuses.map(({ state, note }, i) => ({
    delivery_key: receipts[i]?.deliveryKey ?? "",
    status: state,
    ...(note === null || state === "done" ? {} : { error: note }),
  }));
  return { data };
}
