import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../deps.ts";
import { addressOf } from "../../http/address-key.ts";
import { DEVICE_SECONDS, SESSION_SECONDS } from "../../staff/sessions/session.ts";
import type { StartedSession } from "../../staff/sessions/start-session.ts";
import { cookieScope, deviceCookie, endedCookie, sessionCookie } from "../cookie.ts";

/** The origin of a request. */
export function placeOf(request: FastifyRequest): { readonly address: string; readonly userAgent: string | null } {
  return { address: addressOf(request), userAgent: request.headers["user-agent"] ?? null };
}

/** The cookies of a browser that signs in or out. */
export interface SessionCookies {
  give(request: FastifyRequest, reply: FastifyReply, started: StartedSession): void;
  end(request: FastifyRequest, reply: FastifyReply): void;
}

/** Sets and removes the cookies, for the path of PUBLIC_URL. */
export function sessionCookies({ config }: Pick<Deps, "config">): SessionCookies {
  const scopeOf = (request: FastifyRequest) => cookieScope(request, config.publicUrl);
  return {
    give(request, reply, { token, deviceToken }) {
      reply.header("set-cookie", [
        sessionCookie(token, SESSION_SECONDS, scopeOf(request)),
        deviceCookie(deviceToken, DEVICE_SECONDS, scopeOf(request)),
      ]);
    },
    end(request, reply) {
      reply.header("set-cookie", endedCookie(scopeOf(request)));
    },
  };
}
