import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { INTAKE_BODY_LIMIT_BYTES } from "../http/bodies/json-body.ts";
import { PLATFORMS } from "../platforms/index.ts";
import { acceptEvents } from "./accept-events.ts";
import { checkDeliveryHead } from "./check-delivery-head.ts";
import { createEventsReader } from "./create-events-reader.ts";
import { createReceiptQueue } from "./create-receipt-queue.ts";
import { headersOf } from "./headers.ts";
import { WAIT_MAX_S } from "./prefer.ts";
import { receiveDelivery } from "./receive-delivery.ts";
import { acceptedDeliveryAnswer, documentedEvents, eventsAnswer, eventsBody, mixedAnswer } from "./schema.ts";

const tags = ["Intake"];
/** Requests that wait at once, with and without an Idempotency-Key. */
const KEYED_WAITS_MAX = 4;
const UNKEYED_WAITS_MAX = 50;

const preferHeader = {
  type: "string",
  description: `\`wait=10\`: the answer is sent once the events are processed, after ${WAIT_MAX_S} seconds at most. \`handling=strict\`: all events are accepted or none.`,
  examples: ["wait=10"],
};

/** Registers `POST /intake/<platform>/webhooks` for each platform, and `POST /intake/events` (program.md 4, platforms.md 1 and 4). */
export function intakeRoutes(app: App, deps: Deps): void {
  const queue = createReceiptQueue(deps);
  for (const platform of PLATFORMS) {
    app.post(
      `/intake/${platform.platform}/webhooks`,
      {
        config: { open: true, rawBody: true },
        bodyLimit: INTAKE_BODY_LIMIT_BYTES,
        preParsing: (request, reply, payload, done) => {
          try {
            checkDeliveryHead(deps, platform, headersOf(request.headers));
            done(null, payload);
          } catch (error) {
            reply.header("connection", "close"); // the body may be on its way
            done(error instanceof Error ? error : new Error(String(error)));
          }
        },
        schema: {
          summary: `Receive a delivery of ${platform.platform}`,
          description:
            "The platform signs the raw body. The delivery is stored and answered immediately, and processed afterwards.",
          tags,
          response: { 200: acceptedDeliveryAnswer },
        },
      },
      async (request, reply) => {
        const headers = headersOf(request.headers);
        const rawBody = request.rawBody ?? new Uint8Array();
        const received = await receiveDelivery(deps, queue, platform, { headers, rawBody });
        request.isSignatureValid = received === "delivery";
        return reply.code(200).send({});
      },
    );
  }

  const slots = { keyed: { free: KEYED_WAITS_MAX }, unkeyed: { free: UNKEYED_WAITS_MAX } };
  const reader = createEventsReader(deps);
  app.addHook("onClose", () => reader.close());
  app.post(
    "/intake/events",
    {
      config: {
        scope: "intake",
        jsonBytes: true,
        documentedBody: documentedEvents,
        documentedHeaders: { Prefer: preferHeader },
      },
      bodyLimit: INTAKE_BODY_LIMIT_BYTES,
      schema: {
        summary: "Receive neutral events of any platform or script",
        description:
          "Each event is a fact: the result is the same if it is sent twice, late or out of order. An event with faults is refused and the others are accepted (207); with `Prefer: handling=strict` all are accepted or none. An event that contradicts itself is accepted with `warnings`. With `Prefer: wait=10` the answer is sent once the events are processed, or after that many seconds (at most 20).",
        tags,
        body: eventsBody,
        response: { 202: eventsAnswer, 207: mixedAnswer },
      },
    },
    async (request, reply) => {
      await acceptEvents(deps, request, reply, { slots, reader, queue });
      return reply;
    },
  );
}
