import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { runRead } from "../http/run-read.ts";
import { accountSentences } from "./account-sentences.ts";
import { allotmentSentences } from "./allotment-sentences.ts";
import { viewAllotmentExplanation } from "./allotment-view.ts";
import { explainAllotment } from "./explain-allotment.ts";
import { explainBalance } from "./explain-balance.ts";
import { explainTier } from "./explain-tier.ts";
import { createFormatter } from "./formatter.ts";
import { saveBlocks } from "./save-blocks.ts";
import {
  allotmentExplanation,
  allotmentParams,
  allotmentQuery,
  balanceExplanation,
  balanceQuery,
  explainedCustomerParams,
  tierExplanation,
  tierExplanationQuery,
} from "./schema.ts";
import { tierSentences } from "./standing-sentences.ts";
import { viewBalanceExplanation, viewTierExplanation } from "./standing-view.ts";

const tags = ["Explanations"];
const config = { scope: "read" } as const;

/** Routes that explain an allotment, a balance or a tier in numbers and words (docs/explain.md). */
export function explainRoutes(app: App, deps: Deps): void {
  app.get(
    "/point_allotments/uid/:uid/explanation",
    {
      config,
      schema: {
        tags,
        summary: "Explain an allotment",
        params: allotmentParams,
        querystring: allotmentQuery,
        response: { 200: allotmentExplanation },
      },
    },
    async (request, reply) => {
      const explanation = await runRead(deps, [request, reply], (from) => explainAllotment(from, request.params.uid));
      const format = createFormatter(request.query.language ?? "en", explanation.timeZone);
      return viewAllotmentExplanation(explanation, allotmentSentences(explanation, format));
    },
  );
  for (const balances of ["point_balances", "point_balance"]) standingRoutes(app, deps, balances);
}

function standingRoutes(app: App, deps: Deps, balances: string): void {
  const hide = balances !== "point_balances";
  app.get(
    `/${balances}/:id/explanation`,
    {
      config,
      schema: {
        tags,
        summary: "Explain a balance",
        params: explainedCustomerParams,
        querystring: balanceQuery,
        response: { 200: balanceExplanation },
        hide,
      },
    },
    async (request) => {
      const { language = "en", as_of: asOf, since } = request.query;
      await saveBlocks(deps, request.params.id);
      const explanation = await explainBalance(deps, request.params.id, { asOf, since });
      return viewBalanceExplanation(explanation, accountSentences(explanation, language));
    },
  );
  app.get(
    `/${balances}/:id/tier/explanation`,
    {
      config,
      schema: {
        tags,
        summary: "Explain a tier",
        params: explainedCustomerParams,
        querystring: tierExplanationQuery,
        response: { 200: tierExplanation },
        hide,
      },
    },
    async (request) => {
      const { language = "en", as_of: asOf } = request.query;
      const explanation = await explainTier(deps, request.params.id, asOf);
      return viewTierExplanation(
        explanation,
        tierSentences(explanation, createFormatter(language, explanation.timeZone)),
      );
    },
  );
}
