import { Agent, request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Call, Journal } from "./journal.ts";
import { seeded } from "./plan.ts";

export interface LoadOptions {
  readonly seed: number;
  readonly lanes: number;
  readonly urls: readonly string[];
  readonly authorization: string;
  readonly customers: readonly string[];
  readonly journal: Journal;
  /** Gets the status of each answer; null: the connection was lost or refused, or nothing came in time. */
  readonly seen?: (status: number | null) => void;
}

export interface Load {
  /** Lets every lane finish what it has begun: calls with a key are sent until they are answered. */
  end(): Promise<void>;
}

const ANSWER_MS = 15_000;
const RETRY_MS = 25;
const TRIES_MAX = 4_000;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends awards, debits, sets and orders without end to any of the nodes, in lanes of one request at a time. */
export function startLoad(options: LoadOptions): Load {
  let isEnding = false;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  async function runLane(lane: number): Promise<void> {
    const random = seeded(options.seed * 977 + lane);
    for (let n = 0; !isEnding; n++) {
      const mark = `t${options.seed}-${lane}-${n}`;
      if (random() < 0.2) await sendOrder(options, agent, random, mark, () => isEnding);
      else await sendCall(options, agent, random, mark);
    }
  }
  const lanes = Promise.all(Array.from({ length: options.lanes }, (_, lane) => runLane(lane)));
  return {
    async end() {
      isEnding = true;
      await lanes;
      agent.destroy();
    },
  };
}

const pick = <T>(random: () => number, list: readonly T[]): T => {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error("expected a list with something in it");
  return one;
};

async function sendCall(
  { urls, authorization, customers, journal, seen }: LoadOptions,
  agent: Agent,
  random: () => number,
  mark: string,
) {
  const customer = pick(random, customers);
  const call: Call = { mark, customer, hasKey: random() < 0.7 };
  const isSet = random() < 0.1;
  const points = random() < 0.3 ? -(1 + Math.floor(random() * 30)) : 1 + Math.floor(random() * 100);
  const reason = { type: "system_fix", note: mark };
  const path = isSet ? `/api/storefront/point_balances/${customer}/set_balance` : "/api/storefront/point_allotments";
  const body = isSet
    ? { balance: Math.floor(random() * 1_000), reason }
    : { customer_id: customer, point_value: points, reason };
  const headers = { authorization, ...(call.hasKey ? { "idempotency-key": mark } : {}) };
  journal.begin(call);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const answer = await post(agent, pick(random, urls) + path, body, headers).catch(() => null);
    seen?.(answer?.status ?? null);
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
    const isPassing = answer === null || answer.status === 503 || (answer.status === 409 && call.hasKey);
    if (!isPassing) return journal.end(call, { kind: "fault", status: answer.status, text: answer.text });
    if (!call.hasKey) return; // it may have taken effect: it is not sent twice
    await delay(RETRY_MS);
  }
}

/** An order of so many hundred yen, paid and shipped; it earns a point for each hundred. Sent one to three times, to any node. */
async function sendOrder(
  { urls, authorization, customers, journal, seen }: LoadOptions,
  agent: Agent,
  random: () => number,
  mark: string,
  isEnding: () => boolean,
) {
  const hundreds = 1 + Math.floor(random() * 50);
  const at = "2026-03-01T09:30:00Z";
  const event = {
    type: "OrderPaid",
    occurred_at: at,
    payload: {
      order_id: mark,
      customer_id: pick(random, customers),
      processed_at: at,
      paid_at: at,
      financial_status: "paid",
      shop_currency: "JPY",
      taxes_included: true,
      lines: [{ line_id: "1", quantity: 1, unit_price: { minor: hundreds * 100, currency: "JPY" } }],
      fulfillments: [{ fulfillment_id: `f-${mark}`, status: "success", lines: [{ line_id: "1", quantity: 1 }] }],
    },
  };
  const copies = 1 + Math.floor(random() * 3);
  for (let copy = 0, tries = 0; copy < copies && tries < TRIES_MAX; tries++) {
    const keyed = { ...event, delivery_key: `${mark}-${copy}` };
    const answer = await post(agent, `${pick(random, urls)}/intake/events`, keyed, { authorization }).catch(() => null);
    seen?.(answer?.status ?? null);
    if (answer?.status === 202) {
      journal.order(mark, hundreds);
      copy++;
    } else if (isEnding() && copy > 0) return;
    else await delay(RETRY_MS);
  }
}

function post(agent: Agent, url: string, body: object, headers: Record<string, string>): Promise<Answer> {
  const text = JSON.stringify(body);
  const all = { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "POST", agent, headers: all, timeout: ANSWER_MS }, (response) => {
      let answer = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        answer += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: answer }));
      response.on("aborted", () => reject(new Error("broken off")));
      response.on("error", reject);
    });
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", reject);
    request.end(text);
  });
}
