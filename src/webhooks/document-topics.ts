import { componentName } from "../http/openapi/document-components.ts";
import { WEBHOOK_TOPICS } from "./topics/index.ts";

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

const ABOUT: Readonly<Record<(typeof WEBHOOK_TOPICS)[number]["name"], string>> = {
  "point_allotment/cascade": "An allotment with points was written.",
  "point_balance/update": "A balance or a profile changed.",
  "point_balances/export": "The file of an export is ready.",
};

/** Returns the `webhooks` of the OpenAPI document: each topic with its body, headers and both signatures (docs/webhooks.md). */
export function documentTopics(): Record<string, object> {
  return Object.fromEntries(WEBHOOK_TOPICS.map((topic) => [topic.name, { post: delivery(topic) }]));
}

function delivery({ name, schema, sample }: (typeof WEBHOOK_TOPICS)[number]): object {
  const title = `${componentName(name)}Event`;
  return {
    operationId: `receive${componentName(name)}`,
    summary: ABOUT[name],
    description:
      "Sent to the callback URL until it is acknowledged with 200. Verify `webhook-signature` with the subscription's secret (Standard Webhooks), or the token of `authorization` with the store's API secret key (JWT, HS256, with the claims `iss`, `iat`, `exp`, `jti`, `topic` and `body_sha256`). `jti` and `webhook-id` name the event and are the same in a resend.",
    tags: ["Webhooks"],
    parameters: [
      header("webhook-id", "Names the event.", "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884"),
      header("webhook-timestamp", "When it was signed, in seconds since 1970.", "1772357400"),
      header(
        "webhook-signature",
        "`v1,` and base64 of HMAC-SHA-256 over id, timestamp and body, joined by dots; one for each secret.",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
      ),
      {
        ...header("pointkeeper-version", "For events of one customer: a later event has a higher number.", "1042"),
        required: false,
      },
      {
        ...header("pointkeeper-test", "`true`: a test delivery that a person requested.", "true"),
        required: false,
      },
    ],
    requestBody: { required: true, content: { "application/json": { schema: { ...schema, title }, example: sample } } },
    responses: {
      200: { description: "Acknowledged. After any other status, or none within 5 seconds, the event is sent again." },
    },
    security: [{ delivery: [] }],
  };
}
