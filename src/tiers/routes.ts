import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { runIdempotent } from "../http/idempotency/run-idempotent.ts";
import { linkHeader, pagingMeta, parsePaging } from "../http/paging.ts";
import { readProgram } from "../program/read-program.ts";
import { listTierChanges } from "./list-tier-changes.ts";
import { readTier } from "./read-tier.ts";
import {
  customerTierAnswer,
  tierChangesAnswer,
  tierChangesQuery,
  tierCustomerParams,
  tierQuery,
  tierRulesAnswer,
  tierUpdateAnswer,
  tierUpdateBody,
} from "./schema.ts";
import { updateTier } from "./update-tier.ts";
import { customerTierView, tierChangeView, tierRulesView, updatedTierView } from "./view.ts";

/** Registers tier rules and a customer's tier (interface.md 4.2, 4.9, 4.10), under both spellings of the paths. */
export function tierRoutes(app: App, deps: Deps): void {
  app.get(
    "/tiers",
    {
      config: { scope: "read" },
      schema: { summary: "List the tier rules", tags: ["Tiers"], response: { 200: tierRulesAnswer } },
    },
    async () => tierRulesView(await readProgram(deps.db), deps.clock.now()),
  );

  for (const balances of ["point_balances", "point_balance"]) {
    app.get(`/${balances}/:id/tier`, { config: { scope: "read" }, schema: readSchema(balances) }, async (request) =>
      customerTierView(await readTier(deps, request.params.id, request.query.as_of)),
    );
    changesRoute(app, deps, balances);
    for (const end of ["/tiers", ""]) {
      const options = { config: { scope: "write" as const }, schema: updateSchema(balances + end) };
      app.post(`/${balances}/:id${end}`, options, async (request, reply) => {
        await answerUpdate(deps, request, reply);
      });
    }
  }
}

function changesRoute(app: App, deps: Deps, balances: string): void {
  const schema = {
    summary: "List the changes of a customer's tier, newest first",
    tags: ["Tiers"],
    params: tierCustomerParams,
    querystring: tierChangesQuery,
    response: { 200: tierChangesAnswer },
    hide: balances !== "point_balances",
  };
  app.get(`/${balances}/:id/tier_changes`, { config: { scope: "read" }, schema }, async (request, reply) => {
    const paging = parsePaging(request.query);
    const { changes, end } = await listTierChanges(deps, request.params.id, paging);
    reply.header("link", linkHeader(deps.config.publicUrl, request.url, paging, end));
    return { data: changes.map(tierChangeView), meta: pagingMeta(paging, end) };
  });
}

function readSchema(balances: string) {
  const tags = ["Tiers"];
  const answers = { params: tierCustomerParams, querystring: tierQuery, response: { 200: customerTierAnswer } };
  return { summary: "Read a customer's tier", tags, ...answers, hide: balances !== "point_balances" };
}

function updateSchema(path: string) {
  const answers = { params: tierCustomerParams, body: tierUpdateBody, response: { 200: tierUpdateAnswer } };
  const description =
    "At least one field. A floor does not raise a customer's tier; a tier below the floor is refused.";
  return {
    summary: "Update a customer's tier",
    description,
    tags: ["Tiers"],
    ...answers,
    hide: path !== "point_balances/tiers",
  };
}

type UpdateRequest = FastifyRequest<{
  Params: Static<typeof tierCustomerParams>;
  Body: Static<typeof tierUpdateBody>;
}>;

async function answerUpdate(deps: Deps, request: UpdateRequest, reply: FastifyReply): Promise<void> {
  const { tier, minimum_tier: minimumTier, skip_next_check: skipNextCheck } = request.body;
  const cause = { cause: "api", actor: request.credential.name } as const;
  await runIdempotent(deps, request, reply, async (tx) => {
    const after = await updateTier(tx, deps, request.params.id, {
      update: { tier, minimumTier, skipNextCheck },
      cause,
    });
    return { status: 200, body: updatedTierView(after) };
  });
}
