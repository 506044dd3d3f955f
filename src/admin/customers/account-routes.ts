import type { Deps, ReadDeps } from "../../deps.ts";
import { accountSentences } from "../../explain/account-sentences.ts";
import { explainBalance } from "../../explain/explain-balance.ts";
import { readStatement } from "../../explain/read-statement.ts";
import { saveBlocks } from "../../explain/save-blocks.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { accountAnswer, statementAnswer, statementQuery } from "./account-schema.ts";
import { accountView, statementView } from "./account-view.ts";
import { explanationQuery, shownCustomerParams } from "./schema.ts";

const config = { permission: "view" } as const;

/** Routes that explain a customer's balance in words that can be read to them. */
export function customerAccountRoutes(app: App, deps: Deps): void {
  app.get(
    "/customers/:id/explanation",
    {
      config,
      schema: {
        ...{ hide: true, params: shownCustomerParams, querystring: explanationQuery },
        response: { 200: accountAnswer },
      },
    },
    async (request, reply) => {
      const now = { asOf: undefined, since: undefined };
      await saveBlocks(deps, request.params.id);
      const explanation = await runRead(deps, [request, reply], (from) => explainBalance(from, request.params.id, now));
      const words = accountSentences(explanation, request.query.language ?? "en");
      return { data: accountView(explanation, words) };
    },
  );

  app.get(
    "/customers/:id/statement",
    {
      config,
      schema: {
        ...{ hide: true, params: shownCustomerParams, querystring: statementQuery },
        response: { 200: statementAnswer },
      },
    },
    async (request, reply) => {
      const { from, until } = request.query;
      await saveBlocks(deps, request.params.id);
      const read = (reads: ReadDeps) => readStatement(reads, request.params.id, { from, until });
      return { data: statementView(await runRead(deps, [request, reply], read)) };
    },
  );
}
