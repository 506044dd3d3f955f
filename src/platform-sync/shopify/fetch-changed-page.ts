import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import type { Deps } from "../../deps.ts";
import { readAnswer } from "../../platforms/shopify/admin/answer.ts";
import {
  type ListedPage,
  type ListedResource,
  readChangedPage,
} from "../../platforms/shopify/admin/changed-resources.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import { platformAway } from "../connect-error.ts";
import { readAnswerText } from "../read-answer-text.ts";
import { adminToken } from "./admin-token.ts";
import { noteApiVersion } from "./note-api-version.ts";

/** A page is large and made slowly. */
const TIMEOUT_FACTOR = 3;

/** Fetches one page of changed resources, waiting while the platform throttles. Throws where it cannot be had. */
export async function fetchChangedPage(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  { url, resource, signal }: { readonly url: string; readonly resource: ListedResource; readonly signal: AbortSignal },
): Promise<ListedPage> {
  for (let refused: string | undefined; ; ) {
    const token = await adminToken(deps, admin, { refused, signal });
    const { body, ...answer } = await sendRequest(deps, url, {
      token,
      signal,
      timeoutMs: TIMEOUT_FACTOR * admin.timeoutMs,
    });
    noteApiVersion(deps, admin, answer.headers);
    const { link, "retry-after": retryAfter } = answer.headers;
    if (answer.statusCode === 200) {
      const page = readChangedPage({ body, link: textOf(link), url }, resource);
      if (typeof page === "string") throw new Error(`the platform's ${resource}: ${page}`);
      return page;
    }
    if (answer.statusCode === 401 && refused === undefined && !("token" in admin)) {
      refused = token; // it was revoked before its end
      continue;
    }
    const result = readAnswer({ status: answer.statusCode, retryAfter: textOf(retryAfter), body });
    if (result.kind !== "throttled") throw new Error(`the platform answered ${answer.statusCode} for its ${resource}`);
    deps.log.debug({ resource, waitMs: result.waitMs }, "the platform throttles");
    await delay(result.waitMs, undefined, { signal });
  }
}

async function sendRequest(
  deps: Pick<Deps, "log">,
  url: string,
  { token, signal, timeoutMs }: { readonly token: string; readonly signal: AbortSignal; readonly timeoutMs: number },
) {
  const headers = { "x-shopify-access-token": token, accept: "application/json", "user-agent": "pointkeeper" };
  try {
    const both = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const answer = await request(url, { headers, signal: both });
    return { statusCode: answer.statusCode, headers: answer.headers, body: await readAnswerText(deps, answer.body) };
  } catch (error) {
    throw platformAway(error, signal);
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.join(", ");
}
