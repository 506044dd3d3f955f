import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { listMoved } from "./list-moved.ts";
import { listStays } from "./list-stays.ts";
import { readGrowth } from "./read-growth.ts";
import { readGuests } from "./read-guests.ts";
import { readJoinMonths } from "./read-join-months.ts";
import { readTiersOverTime } from "./read-tiers-over-time.ts";
import {
  growthAnswer,
  guestsAnswer,
  joinMonthsAnswer,
  movesAnswer,
  movesQuery,
  staysAnswer,
  staysQuery,
  tiersOverTimeAnswer,
} from "./schema.ts";
import { growthView, guestsView, joinMonthsView, movesView, staysView, tiersOverTimeView } from "./view.ts";

const view = { permission: "view" } as const;

/** Routes of the growth page, which use read models only. */
export function growthAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/growth",
    { config: view, schema: { hide: true, response: { 200: growthAnswer } } },
    async (request, reply) => growthView(await runRead(deps, [request, reply], readGrowth)),
  );
  app.get(
    "/growth/joined",
    { config: view, schema: { hide: true, response: { 200: joinMonthsAnswer } } },
    async (request, reply) => joinMonthsView(await runRead(deps, [request, reply], readJoinMonths)),
  );
  app.get(
    "/growth/tiers",
    { config: view, schema: { hide: true, response: { 200: tiersOverTimeAnswer } } },
    async (request, reply) => tiersOverTimeView(await runRead(deps, [request, reply], readTiersOverTime)),
  );
  app.get(
    "/growth/moves",
    { config: view, schema: { hide: true, querystring: movesQuery, response: { 200: movesAnswer } } },
    async (request, reply) =>
      movesView(await runRead(deps, [request, reply], (from) => listMoved(from, request.query))),
  );
  app.get(
    "/growth/stays",
    { config: view, schema: { hide: true, querystring: staysQuery, response: { 200: staysAnswer } } },
    async (request, reply) =>
      staysView(await runRead(deps, [request, reply], (from) => listStays(from, request.query))),
  );
  app.get(
    "/growth/guests",
    { config: view, schema: { hide: true, response: { 200: guestsAnswer } } },
    async (request, reply) => guestsView(await runRead(deps, [request, reply], readGuests)),
  );
}
