import { openSync, writeSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { LoadNote, LoadPlan } from "./load.ts";

/**
 * A process that sends awards, debits and sets continuously, over one connection per lane, and records each acknowledged response before the lane's
 * next request. An interrupted or temporarily refused request is repeated only if it has an Idempotency-Key. At SIGTERM it finishes what it has
 * begun; it ends with its parent.
 */
const plan: LoadPlan = JSON.parse(process.argv[2] ?? "");
const notes = openSync(plan.notesPath, "a");
const RETRY_MS = 20;
const ANSWER_MS = 15_000;
let isEnding = false;
process.on("SIGTERM", () => {
  isEnding = true;
});
process.on("disconnect", () => process.exit(1));

await Promise.all(Array.from({ length: plan.lanes }, (_, lane) => runLane(lane)));
process.exit(0);

interface Call {
  readonly path: string;
  readonly body: object;
  readonly customer: string;
  readonly key: string | null;
}

async function runLane(lane: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; !isEnding; n++) await runCall(agent, nextCall(lane, n));
  agent.destroy();
}

/** Two of three calls have a key; they are for separate customers, so that their result can be counted exactly. */
function nextCall(lane: number, n: number): Call {
  const hasKey = n % 3 !== 0;
  const key = hasKey ? `${plan.keyPrefix ?? "key"}-${lane}-${n}` : null;
  const customers = hasKey ? plan.keyedCustomers : plan.plainCustomers;
  const customer = customers[Math.floor(Math.random() * customers.length)] ?? "";
  if (Math.random() < 0.2) {
    const path = `/api/storefront/point_balances/${customer}/set_balance`;
    return { path, body: { balance: Math.floor(Math.random() * 1_000) }, customer, key };
  }
  const point_value = Math.random() < 0.3 ? -(1 + Math.floor(Math.random() * 20)) : 1 + Math.floor(Math.random() * 100);
  const body = { customer_id: customer, point_value, reason: { type: "system_fix", note: key ?? "no key" } };
  return { path: "/api/storefront/point_allotments", body, customer, key };
}

async function runCall(agent: Agent, call: Call): Promise<void> {
  const { customer, key } = call;
  for (;;) {
    const answer = await send(agent, call).catch(() => null);
    if (answer?.status === 200) {
      const { id, point_value, point_balance } = JSON.parse(answer.body).data;
      return note({
        kind: "acknowledged",
        customer,
        key,
        uid: id,
        points: point_value,
        balance: point_balance.point_balance,
      });
    }
    if (answer?.status === 400) return note({ kind: "refused", customer, key });
    if (answer !== null && answer.status !== 503) return note({ kind: "fault", customer, key, status: answer.status });
    if (key === null) note({ kind: "broken", customer, key });
    await delay(RETRY_MS);
    if (key === null) return;
  }
}

function note(line: LoadNote): void {
  writeSync(notes, `${JSON.stringify(line)}\n`);
}

function send(agent: Agent, { path, body, key }: Call): Promise<{ status: number; body: string }> {
  const text = JSON.stringify(body);
  const headers = {
    authorization: plan.authorization,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(key === null ? {} : { "idempotency-key": key }),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(plan.url + path, { method: "POST", agent, headers, timeout: ANSWER_MS }, (response) => {
      let answer = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        answer += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: answer }));
      response.on("aborted", () => reject(new Error("broken off")));
      response.on("error", reject);
    });
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", reject);
    request.end(text);
  });
}
