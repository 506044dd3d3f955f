import type { FastifyReply } from "fastify";
import type { StoredAnswer } from "./idempotency.ts";

/** Sends JSON text as it is. */
export function sendAnswer(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  if (answer.headers !== null) reply.headers(answer.headers);
  return reply.code(answer.status).header("content-type", "application/json; charset=utf-8").send(answer.body);
}
