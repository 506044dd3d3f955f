import type { DemoClient } from "../client.ts";
import type { Message } from "../payloads/platform-json.ts";
import type { Progress } from "../progress.ts";
import type { Dice } from "./dice.ts";
import { type EarningRate, pointsOf } from "./earning.ts";
import { orderMessages, type Pace, type UsedCoupon } from "./order-messages.ts";
import type { PlannedOrder } from "./plan-season.ts";

/** The parts needed to run a season. */
export interface SeasonRun {
  readonly client: DemoClient;
  readonly dice: Dice;
  readonly days: number;
  readonly progress: Pick<Progress, "tick" | "note">;
  readonly tally: Tally;
}

/** The counts of the run. */
export interface Tally {
  readonly expected: Map<string, bigint>;
  messages: number;
  repeated: number;
  shuffled: number;
  coupons: number;
}

/** Delivers one order's events like the platform, and records the expected points. */
export async function deliverOrder(
  run: SeasonRun,
  { planned, pace, coupon, rate }: { planned: PlannedOrder; pace: Pace; coupon: UsedCoupon | null; rate: EarningRate },
): Promise<void> {
  const { order, delivery } = planned;
  const { messages, kept } = orderMessages(planned, pace, coupon);
  run.tally.expected.set(order.id, pointsOf(kept, rate));
  const numbered = messages.map((one, n) => ({ one, id: `order-${order.id}-${n}` }));
  if (delivery === "shuffled") run.tally.shuffled += 1;
  for (const { one, id } of delivery === "shuffled" ? run.dice.shuffle(numbered) : numbered) {
    await send(run, one, id);
    if (delivery !== "twice") continue;
    run.tally.repeated += 1;
    await send(run, one, id);
  }
}

/** Delivers one message of the platform, and counts it. */
export async function send(run: SeasonRun, one: Message, id: string): Promise<void> {
  await run.client.deliver(one, id);
  run.tally.messages += 1;
  run.progress.tick();
}
