import type { FastifyReply } from "fastify";

/**
 * The JSON text of an answer, by the route's compiled serialiser of its status where there is one. Text is taken as it is;
 * a bigint becomes a JSON number of all its digits.
 */
export function answerText(reply: FastifyReply, status: number, body: object | string): string {
  if (typeof body === "string") return body;
  const serialize: unknown = reply.getSerializationFunction(String(status));
  if (typeof serialize !== "function") return jsonText(body);
  const text: unknown = serialize(body);
  return typeof text === "string" ? text : jsonText(body);
}

/** JSON text of any value; a bigint becomes a number of all its digits. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? rawJson(String(part)) : part));
}

function rawJson(digits: string): unknown {
  // cast: TypeScript does not know JSON.rawJSON yet, which Node has
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
}
