import type { FastifyReply } from "fastify";
import type { StoredAnswer } from "./idempotency/idempotency.ts";
import { shownRequestId } from "./observe-requests.ts";
import { renderStored } from "./refusal.ts";

/** Sends JSON text unchanged, and a refusal in the format that the request uses. */
export function sendAnswer(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  if (answer.headers !== null) reply.headers(answer.headers);
  const { request } = reply;
  const text = renderStored(answer.body, request.headers["x-api-version"], shownRequestId(request, answer.status));
  return reply.code(answer.status).header("content-type", "application/json; charset=utf-8").send(text);
}
