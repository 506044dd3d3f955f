import { isRunning, type Lane, pause, pick, sendOnce, TRIES_MAX } from "./send.ts";

/** Sends an award, a debit or a set balance. With a key it is sent until it is answered, without one it is never sent twice. */
export async function sendCall(lane: Lane, mark: string): Promise<void> {
  const { random, journal } = lane;
  const customer = pick(random, lane.customers);
  const call = { mark, customer, hasKey: random() < 0.7 };
  const isSet = random() < 0.1;
  const points = random() < 0.3 ? -(1 + Math.floor(random() * 30)) : 1 + Math.floor(random() * 100);
  const reason = { type: "system_fix", note: mark };
  const sent = {
    path: isSet ? `/api/storefront/point_balances/${customer}/set_balance` : "/api/storefront/point_allotments",
    body: isSet
      ? { balance: Math.floor(random() * 1_000), reason }
      : { customer_id: customer, point_value: points, reason },
    ...(call.hasKey ? { key: mark } : {}),
  };
  journal.begin(call);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const answer = await sendOnce(lane, sent);
    if (answer?.status === 200) {
      const { id, point_value, point_balance } = JSON.parse(answer.text).data;
      return journal.end(call, {
        kind: "acknowledged",
        uid: id,
        points: point_value,
        balance: point_balance.point_balance,
      });
    }
    if (answer?.status === 400) return journal.end(call, { kind: "refused", status: 400 });
    const isPassing = answer === null || answer.status === 503 || (isRunning(answer) && call.hasKey);
    if (!isPassing) return journal.end(call, { kind: "fault", status: answer.status, text: answer.text });
    if (!call.hasKey) return; // it may have taken effect: it is not sent twice
    await pause();
  }
}
