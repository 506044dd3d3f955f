import { findShownCustomer } from "../../customers/find-shown-customer.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { runRead } from "../../http/run-read.ts";
import { countMailLog } from "../../mail/mail-queries.ts";
import { changeMessage } from "../../messages/change-message.ts";
import { changeMessageRules } from "../../messages/change-message-rules.ts";
import { selectMessageRules, selectMessageSettings } from "../../messages/message-queries.ts";
import { type PreviewInput, previewMessage } from "../../messages/preview-message.ts";
import { sendTestMessage } from "../../messages/send-test-message.ts";
import { textFault } from "../../messages/template.ts";
import { invalid } from "../../problems.ts";
import { COUNTED_MAX } from "../../wire/limits.ts";
import type { MessageKind } from "../../wire/messages.ts";
import { countListed } from "../count-listed.ts";
import { listCountAnswer } from "../list-count-schema.ts";
import { listMails } from "./list-mails.ts";
import * as wire from "./schema.ts";
import { mailFilterOf, messagesView, settingOf } from "./view.ts";

const config = { permission: "messages.manage" } as const;
const answer = { 200: wire.messagesAnswer } as const;

/** `/messages`: messages to customers; `/mails`: the log of every mail (docs/messages.md). */
export function messagesAdminRoutes(app: App, deps: Deps): void {
  app.get("/messages", { config, schema: { hide: true, response: answer } }, () => readShown(deps));

  app.put(
    "/messages",
    { config, schema: { hide: true, body: wire.rulesBody, response: answer } },
    async ({ body: { language, send_hour: sendHour, hourly_max: hourlyMax, revision } }) => {
      await changeMessageRules(deps, { language, sendHour, hourlyMax }, { revision });
      return await readShown(deps);
    },
  );

  app.put(
    "/messages/:kind",
    { config, schema: { hide: true, params: wire.messageParams, body: wire.messageBody, response: answer } },
    async ({ params, body }) => {
      await changeMessage(deps, settingOf(params.kind, body), body);
      return await readShown(deps);
    },
  );

  const preview = { hide: true, params: wire.messageParams, body: wire.messagePreviewBody } as const;
  app.post(
    "/messages/:kind/preview",
    { config, schema: { ...preview, response: { 200: wire.messagePreviewAnswer } } },
    async ({ params, body }) =>
      await deps.db.tx(async (tx) => {
        const { subject, text, isSample } = await previewMessage(tx, deps, await inputOf(tx, params.kind, body));
        return { data: { subject, text, is_sample: isSample } };
      }),
  );

  app.post(
    "/messages/:kind/test",
    { config, schema: { ...preview, response: { 200: wire.messageTestAnswer } } },
    async ({ params, body, staff: { email: to } }) =>
      await deps.db.tx(async (tx) => {
        const state = await sendTestMessage(tx, deps, { ...(await inputOf(tx, params.kind, body)), to });
        return { data: { to, state } };
      }),
  );

  app.get(
    "/mails",
    { config, schema: { hide: true, querystring: wire.mailQuery, response: { 200: wire.mailPage } } },
    (request, reply) => runRead(deps, [request, reply], (from) => listMails(from, request.query)),
  );

  app.get(
    "/mails/count",
    { config, schema: { hide: true, querystring: wire.mailFilters, response: { 200: listCountAnswer } } },
    (request, reply) =>
      countListed(deps, [request, reply], (tx) => countMailLog(tx, mailFilterOf(request.query), COUNTED_MAX + 1)),
  );
}

async function readShown({ db, config: { mail } }: Deps) {
  return { data: messagesView(await selectMessageSettings(db), await selectMessageRules(db), mail !== null) };
}

/** Throws `invalid` if the text has a fault, `customer_not_found`, `ambiguous_email`. */
async function inputOf(tx: Tx, kind: MessageKind, body: wire.PreviewRequest): Promise<PreviewInput> {
  const { language, subject, text, customer_id: named } = body;
  const fault = textFault(kind, { subject, text });
  if (fault !== null) throw invalid(`/${fault.field}`, fault.detail);
  const customer = named === null || named.trim() === "" ? null : await findShownCustomer(tx, named.trim());
  return { kind, language, text: { subject, text }, customer };
}
