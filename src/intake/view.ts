import type { Static } from "typebox";
import { cutText as cut, FAULTS_MAX, PROBLEMS } from "../problems.ts";
import type { SentEvent } from "./read-events.ts";
import type { ReceiptStatus } from "./receipt.ts";
import type { eventsAnswer, mixedAnswer } from "./schema.ts";

type Entry = Static<typeof mixedAnswer>["data"][number];

/**
 * Returns the answer of `POST /intake/events`: one entry per event, in the order in which they were sent. `statuses`: those of the accepted
 * events, in their order.
 */
export function viewAccepted(
  sent: readonly SentEvent[],
  statuses: readonly ReceiptStatus[],
): Static<typeof eventsAnswer> | Static<typeof mixedAnswer> {
  const errors = errorsOf(sent);
  const left = statuses.values();
  return {
    data: sent.map((event, i) => (event.ok ? viewGood(event, left.next().value) : viewRefused(event, errors[i]))),
  };
}

function viewGood({ receipt, pointer }: SentEvent & { ok: true }, status: ReceiptStatus | undefined): Entry {
  const { state, note } = status ?? { state: "new", note: null };
  const warnings = receipt.warnings.map((warning) => ({
    pointer: cut(pointer + warning.pointer),
    detail: cut(warning.detail),
  }));
  return {
    delivery_key: receipt.deliveryKey,
    status: state,
    ...(note === null || state === "done" ? {} : { error: note }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function viewRefused({ refused }: SentEvent & { ok: false }, errors: Entry["errors"]): Entry {
  const { deliveryKey, faults } = refused;
  return { delivery_key: deliveryKey, status: "refused", errors: errors ?? [], error_count: faults.length };
}

/** Returns the faults of each event that are listed: the first fault of each event before the others. */
function errorsOf(sent: readonly SentEvent[]): readonly NonNullable<Entry["errors"]>[] {
  let left = FAULTS_MAX;
  const counts = sent.map(() => 0);
  const most = sent.reduce((max, event) => (event.ok ? max : Math.max(max, event.refused.faults.length)), 0);
  for (let round = 0; round < most && left > 0; round++) {
    for (const [i, event] of sent.entries()) {
      if (event.ok || event.refused.faults.length <= round || left === 0) continue;
      counts[i] = round + 1;
      left -= 1;
    }
  }
  const [status, title] = PROBLEMS.invalid;
  return sent.map((event, i) => {
    const faults = event.ok ? [] : event.refused.faults.slice(0, counts[i]);
    return faults.map(({ detail, pointer = "" }) => ({
      ...{ status: String(status), title, code: "invalid" as const, detail: cut(detail) },
      source: { pointer: cut(pointer) },
    }));
  });
}
