import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { viewAllotmentAccount } from "./allotment-view.ts";
import { allotmentWords } from "./allotment-words.ts";
import { explainAllotment } from "./explain-allotment.ts";
import { explainBalance } from "./explain-balance.ts";
import { explainTier } from "./explain-tier.ts";
import {
  allotmentExplanation,
  allotmentParams,
  allotmentQuery,
  balanceExplanation,
  balanceQuery,
  customerParams,
  tierExplanation,
  tierQuery,
} from "./schema.ts";
import { viewBalanceAccount, viewTierAccount } from "./standing-view.ts";
import { balanceWords, tierWords } from "./standing-words.ts";
import { teller } from "./tell.ts";

const tags = ["Explanations"];
const config = { scope: "read" } as const;

/** Why an allotment, a balance or a tier is what it is, in numbers and words (docs/explain.md). */
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
    async (request) => {
      const account = await explainAllotment(deps, request.params.uid);
      const tell = teller(request.query.language ?? "en", account.timeZone);
      return viewAllotmentAccount(account, allotmentWords(account, tell));
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
        params: customerParams,
        querystring: balanceQuery,
        response: { 200: balanceExplanation },
        hide,
      },
    },
    async (request) => {
      const { language = "en", as_of: asOf, since } = request.query;
      const account = await explainBalance(deps, request.params.id, { asOf, since });
      return viewBalanceAccount(account, balanceWords(account, teller(language, account.timeZone)));
    },
  );
  app.get(
    `/${balances}/:id/tier/explanation`,
    {
      config,
      schema: {
        tags,
        summary: "Explain a tier",
        params: customerParams,
        querystring: tierQuery,
        response: { 200: tierExplanation },
        hide,
      },
    },
    async (request) => {
      const { language = "en", as_of: asOf } = request.query;
      const account = await explainTier(deps, request.params.id, asOf);
      return viewTierAccount(account, tierWords(account, teller(language, account.timeZone)));
    },
  );
}
