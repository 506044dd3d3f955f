import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { unsubscribeCustomer } from "../customers/unsubscribe-customer.ts";
import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { readProgram } from "../program/read-program.ts";
import { LANGUAGES, type Language } from "../wire/language.ts";
import { readLinkKey } from "./read-link-key.ts";
import { type UnsubscribeState, unsubscribePage } from "./unsubscribe-page.ts";
import { customerOfToken } from "./unsubscribe-token.ts";

const NONCE_BYTES = 18;
const schema = {
  hide: true,
  params: Type.Object({ token: Type.String({ maxLength: 100 }) }),
  querystring: Type.Object({ lang: Type.Optional(Type.String({ maxLength: 10 })) }),
} as const;

/**
 * `/unsubscribe/<token>`: the link of a message, open to everyone who has it. GET shows a question and changes nothing, because programs that
 * check links in mails follow them. POST unsubscribes, from the page's button or a mail program (RFC 8058).
 */
export function messageRoutes(app: App, deps: Deps): void {
  app.get("/unsubscribe/:token", { config: { open: true }, schema }, async ({ params, query }, reply) => {
    const customer = await customerOf(deps, params.token);
    return await sendPage(deps, reply, customer === null ? "unknown" : "asks", query.lang);
  });

  app.post("/unsubscribe/:token", { config: { open: true, anyBody: true }, schema }, async (request, reply) => {
    const { params, query } = request;
    const customer = await customerOf(deps, params.token);
    const isDone = customer !== null && (await deps.db.tx((tx) => unsubscribeCustomer(tx, deps, customer)));
    return await sendPage(deps, reply, isDone ? "done" : "unknown", query.lang);
  });
}

/** The customer of an unsubscribe link; null where this service did not sign it. */
async function customerOf(deps: Deps, token: string): Promise<CustomerRef | null> {
  const key = await readLinkKey(deps.db, deps);
  return key === null ? null : customerOfToken(key, token);
}

async function sendPage(
  deps: Deps,
  reply: FastifyReply,
  state: UnsubscribeState,
  asked: string | undefined,
): Promise<FastifyReply> {
  const language: Language = LANGUAGES.find((known) => known === asked) ?? "en";
  const { name: store } = (await readProgram(deps.db)).store;
  const nonce = deps.random.bytes(NONCE_BYTES).toString("base64");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
  return reply
    .status(state === "unknown" ? 404 : 200)
    .header("content-security-policy", policy)
    .header("content-type", "text/html; charset=utf-8")
    .send(unsubscribePage(state, { language, store, nonce }));
}
