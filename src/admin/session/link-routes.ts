import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { choosePassword } from "../../staff/choose-password.ts";
import { readLink } from "../../staff/read-link.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { SessionCookies } from "./routes.ts";
import { choiceAnswer, choiceBody, linkAnswer, linkBody } from "./schema.ts";

const open = { open: true } as const;

/**
 * `/invitation`: behind a link, whose token comes in the body alone (the page has it in its address after `#`, which no browser sends), an
 * invited person chooses a password.
 */
export function linkRoutes(app: App, deps: Deps, cookies: SessionCookies): void {
  app.post(
    "/invitation/look",
    { config: open, schema: { hide: true, body: linkBody, response: { 200: linkAnswer } } },
    async (request) => {
      const { name, email, kind, expiresAt } = await readLink(deps, { ...request.body, address: request.ip });
      return { data: { name, email, kind, expires_at: formatInstant(expiresAt) } };
    },
  );

  app.post(
    "/invitation",
    { config: open, schema: { hide: true, body: choiceBody, response: { 200: choiceAnswer } } },
    async (request, reply) => {
      const started = await choosePassword(deps, { ...request.body, address: request.ip });
      if (started !== null) cookies.give(request, reply, started);
      return { data: { is_signed_in: started !== null } };
    },
  );
}
