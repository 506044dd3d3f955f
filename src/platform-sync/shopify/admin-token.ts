import { request } from "undici";
import type { Deps } from "../../deps.ts";
import { fieldOf, parseJsonText } from "../../platforms/json-source.ts";
import { numberOf, textOf } from "../../platforms/shopify/admin/answer.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import { platformAway } from "../connect-error.ts";
import { readAnswerText } from "../read-answer-text.ts";

/** A token that the platform granted, and until when it is used, by the machine's clock. */
interface GrantedToken {
  readonly token: string;
  readonly untilMs: number;
}

/** A token is replaced this long before its end, which a request under way may not reach. */
const EARLY_S = 300;
const LIFETIME_S = 3_600;

const granted = new WeakMap<ShopifyAdmin, GrantedToken>();

/**
 * Returns the access token for the store's Admin API: the one that is set, or one that the platform grants for the app's client
 * credentials, which is valid for a day and kept until shortly before its end. `refused`: a token that the platform no longer accepts.
 * Throws where none is granted.
 */
export async function adminToken(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  { refused, signal }: { readonly refused?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<string> {
  if ("token" in admin) return admin.token;
  const known = granted.get(admin);
  if (known !== undefined && known.token !== refused && performance.now() < known.untilMs) return known.token;
  const { id, secret } = admin.client;
  const timeout = AbortSignal.timeout(admin.timeoutMs);
  const options = {
    method: "POST" as const,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret }).toString(),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  };
  const answer = await sendRequest(deps, new URL("/admin/oauth/access_token", admin.url), options, signal);
  const body = parseJsonText(answer.text);
  const token = body.ok && answer.statusCode === 200 ? textOf(fieldOf(body.value, "access_token")) : null;
  if (!body.ok || token === null)
    throw new Error(`no access token was granted: answered ${answer.statusCode}. Check SHOPIFY_CLIENT_ID and _SECRET`);
  const lifetimeS = numberOf(fieldOf(body.value, "expires_in")) ?? LIFETIME_S;
  deps.log.debug({ lifetimeS }, "the platform granted an access token");
  granted.set(admin, { token, untilMs: performance.now() + Math.max(0, lifetimeS - EARLY_S) * 1_000 });
  return token;
}

async function sendRequest(
  deps: Pick<Deps, "log">,
  url: URL,
  options: Parameters<typeof request>[1],
  signal: AbortSignal | undefined,
) {
  try {
    const { statusCode, body } = await request(url, options);
    return { statusCode, text: await readAnswerText(deps, body) };
  } catch (error) {
    throw platformAway(error, signal);
  }
}
