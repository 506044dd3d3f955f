import { Type } from "typebox";
import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { BigInteger } from "../http/big-integer.ts";
import { sendAnswer } from "../http/send-answer.ts";
import { headersOf } from "./headers.ts";
import { runFlowAction } from "./run-flow-action.ts";

/** The properties of the action are small: an id or e-mail, a number and a note. */
const FLOW_BODY_LIMIT_BYTES = 65_536;

const flowAnswer = Type.Object(
  {
    return_value: Type.Object({
      point_value: BigInteger({ description: "Points given, or taken when below 0." }),
      point_balance: BigInteger({ description: "Points available right after it." }),
    }),
  },
  { title: "FlowAnswer", examples: [{ return_value: { point_value: 50, point_balance: 370 } }] },
);

/** Registers `POST /intake/shopify/flow`: the action "adjust points" of Shopify Flow (platforms.md 2). */
export function flowRoutes(app: App, deps: Deps): void {
  app.post(
    "/intake/shopify/flow",
    {
      config: { open: true, rawBody: true },
      bodyLimit: FLOW_BODY_LIMIT_BYTES,
      schema: {
        summary: "Adjust points by Shopify Flow",
        description:
          "The platform signs the raw body. Points are posted immediately, and once for each run: docs/flow.md.",
        tags: ["Intake"],
        response: { 200: flowAnswer },
      },
    },
    async (request, reply) => {
      const rawBody = request.rawBody ?? new Uint8Array();
      const answer = await runFlowAction(deps, { headers: headersOf(request.headers), rawBody });
      request.isSignatureValid = true;
      return sendAnswer(reply, answer);
    },
  );
}
