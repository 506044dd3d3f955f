import type { FastifyReply } from "fastify";
import type { StoredAnswer } from "./idempotency.ts";
import { renderStored } from "./refusal.ts";

/** Sends JSON text as it is, and a refusal in the shape that the request asks for. */
export function sendAnswer(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  if (answer.headers !== null) reply.headers(answer.headers);
  return reply
    .code(answer.status)
    .header("content-type", "application/json; charset=utf-8")
    .send(renderStored(answer.body, reply.request.headers["x-api-version"]));
}
