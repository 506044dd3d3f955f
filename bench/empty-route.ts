import type { App } from "../src/http/app-type.ts";
import { postDirectly } from "../src/http/direct/direct-routes.ts";
import { sendAnswer } from "../src/http/send-answer.ts";
import { createAllotmentSchema, createdAllotmentSchema } from "../src/points/allotments/schema.ts";

/** As long as the response to the creation of an allotment. */
export const EMPTY_ANSWER = JSON.stringify({
  data: {
    id: "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884",
    inserted_at: "2026-03-01T09:30:00.123456Z",
    point_value: 100,
    uid: "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884",
    point_balance: {
      id: "7000000000000",
      expiration_delay: 12,
      expires_at: "2027-03-01T15:00:00.000000Z",
      point_balance: 100,
    },
  },
});

/**
 * Registers routes that do nothing, with the same authentication, body, validation and response size as the creation of an allotment: one as a direct
 * route, one in the framework only.
 */
export function emptyRoute(app: App): void {
  const options = {
    config: { scope: "write" },
    schema: { body: createAllotmentSchema, response: { 200: createdAllotmentSchema } },
  } as const;
  const answer = async () => ({ status: 200, headers: null, body: EMPTY_ANSWER });
  postDirectly(app, "/bench/empty", options, answer);
  app.post("/bench/empty-by-framework", options, async (_request, reply) => sendAnswer(reply, await answer()));
}
