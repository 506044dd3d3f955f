import { type Agent, request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Journal } from "./journal.ts";

export interface LoadOptions {
  readonly seed: number;
  readonly lanes: number;
  readonly urls: readonly string[];
  readonly authorization: string;
  readonly customers: readonly string[];
  /**
   * Customers who only buy: their balances always have what a refund takes back. Without any, nothing is refunded, and there are no coupons and
   * reservations, which would wait for a clock that moves.
   */
  readonly buyers: readonly string[];
  readonly journal: Journal;
  /** Gets the status of each answer; null: the connection was lost or refused, or nothing came in time. */
  readonly seen?: (status: number | null) => void;
}

/** One lane of the load: one request at a time, to any of the nodes. */
export interface Lane extends LoadOptions {
  readonly agent: Agent;
  readonly random: () => number;
  readonly isEnding: () => boolean;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Sent {
  readonly method?: "POST" | "DELETE";
  readonly path: string;
  readonly body: object;
  readonly key?: string;
}

const ANSWER_MS = 15_000;
const RETRY_MS = 25;
export const TRIES_MAX = 4_000;

export function pick<T>(random: () => number, list: readonly T[]): T {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error("expected a list with something in it");
  return one;
}

export function pause(): Promise<void> {
  return delay(RETRY_MS);
}

/** Sends a request once, to any node; null: the connection was lost or refused, or nothing came in time. */
export async function sendOnce(lane: Lane, { method = "POST", path, body, key }: Sent): Promise<Answer | null> {
  const { agent, authorization, random, seen, urls } = lane;
  const text = JSON.stringify(body);
  const headers = {
    authorization,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  const answer = await answerTo(pick(random, urls) + path, { method, agent, headers, timeout: ANSWER_MS }, text).catch(
    () => null,
  );
  seen?.(answer?.status ?? null);
  return answer;
}

/** Sends a request that may be repeated until there is an answer that is not passing: a lost one, 503, or 409 while its key runs. */
export async function persist(lane: Lane, sent: Sent): Promise<Answer | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const answer = await sendOnce(lane, sent);
    if (answer !== null && answer.status !== 503 && !isRunning(answer)) return answer;
    await pause();
  }
  return null;
}

/** Whether another request with the same key was still running. */
export function isRunning({ status, text }: Answer): boolean {
  return status === 409 && text.includes("idempotency_running");
}

function answerTo(url: string, options: object, text: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, options, (response) => {
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
