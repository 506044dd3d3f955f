import type { FastifyReply, FastifyRequest } from "fastify";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runIdempotent } from "../../http/idempotency/run-idempotent.ts";
import type { Hold } from "../../ledger/holds/hold.ts";
import { endReservation } from "./end-reservation.ts";
import { readReservation } from "./read-reservation.ts";
import { reservePoints } from "./reserve-points.ts";
import { captureSchema, newReservationSchema, reservationAnswerSchema, reservationParams } from "./schema.ts";
import { showReservation } from "./show-reservation.ts";

const tags = ["Reservations"];
const response = { 200: reservationAnswerSchema };

/** Registers `POST /reservations`, `GET /reservations/:id`, and its capture and release (program.md 3). */
export function reservationRoutes(app: App, deps: Deps): void {
  app.post(
    "/reservations",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Reserve points",
        description: "The points are not available, and do not expire, until the reservation ends.",
        body: newReservationSchema,
        response,
      },
    },
    async (request, reply) => {
      const { customer_id, point_value, ttl_seconds } = request.body;
      const input = {
        customer: String(customer_id),
        points: BigInt(point_value),
        ttlSeconds: ttl_seconds,
        appReference: request.credential.name,
      };
      return change(deps, request, reply, (tx) => reservePoints(tx, deps, input));
    },
  );

  app.get(
    "/reservations/:id",
    { config: { scope: "read" }, schema: { tags, summary: "Read a reservation", params: reservationParams, response } },
    (request) =>
      deps.db.snapshot(async (tx) => showReservation(tx, deps, await readReservation(tx, request.params.id))),
  );

  endRoutes(app, deps);
}

function endRoutes(app: App, deps: Deps): void {
  app.post(
    "/reservations/:id/capture",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Capture a reservation",
        description: "Takes all or some of its points, releases the rest, and ends the reservation.",
        params: reservationParams,
        body: captureSchema,
        response,
      },
    },
    async (request, reply) => {
      const { point_value } = request.body;
      const points = point_value === undefined ? null : BigInt(point_value);
      const capture = { points, appReference: request.credential.name };
      return change(deps, request, reply, (tx) => endReservation(tx, deps, { uid: request.params.id, capture }));
    },
  );

  app.post(
    "/reservations/:id/release",
    {
      config: { scope: "write" },
      schema: { tags, summary: "Release a reservation", params: reservationParams, response },
    },
    async (request, reply) =>
      change(deps, request, reply, (tx) => endReservation(tx, deps, { uid: request.params.id, capture: null })),
  );
}

function change(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Tx) => Promise<Hold>,
): Promise<FastifyReply> {
  return runIdempotent(deps, request, reply, async (tx) => {
    return { status: 200, body: await showReservation(tx, deps, await work(tx)) };
  });
}
