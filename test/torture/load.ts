import { Agent } from "node:http";
import { seeded } from "./plan.ts";
import type { LoadOptions } from "./send.ts";
import { sendCall } from "./send-call.ts";
import { sendOrder } from "./send-order.ts";
import { sendSpending } from "./send-spending.ts";

export interface Load {
  /** Lets every lane finish what it has begun: requests with a key are sent until they are answered. */
  end(): Promise<void>;
}

const ORDERS_BELOW = 0.2;
const SPENDING_BELOW = 0.35;

/** Sends awards, debits, sets, orders, coupons and reservations without end to any of the nodes, in lanes of one request at a time. */
export function startLoad(options: LoadOptions): Load {
  let isEnding = false;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  async function runLane(n: number): Promise<void> {
    const random = seeded(options.seed * 977 + n);
    const lane = { ...options, agent, random, isEnding: () => isEnding };
    for (let i = 0; !isEnding; i++) {
      const mark = `t${options.seed}-${n}-${i}`;
      const kind = random();
      if (kind < ORDERS_BELOW) await sendOrder(lane, mark);
      else if (kind < SPENDING_BELOW && options.buyers.length > 0) await sendSpending(lane, mark);
      else await sendCall(lane, mark);
    }
  }
  const lanes = Promise.all(Array.from({ length: options.lanes }, (_, n) => runLane(n)));
  return {
    async end() {
      isEnding = true;
      await lanes;
      agent.destroy();
    },
  };
}
