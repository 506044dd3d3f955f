import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { OidcSettings } from "../../src/oidc-settings.ts";
import { createClient } from "./client.ts";
import { CSRF } from "./staff.ts";

/** A person whom the provider knows. */
export interface ProviderAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** A real OpenID provider in this process, which signs in whoever a test names without a form. */
export interface TestProvider {
  readonly issuer: string;
  /** The accounts by subject, which a test may change. */
  readonly accounts: Map<string, ProviderAccount>;
  /** The subject who signs in next; null: they refuse. */
  who: string | null;
  /** Allows a service's callback URL. */
  allow(callback: string): void;
  settings(more?: Partial<OidcSettings>): OidcSettings;
  stop(): Promise<void>;
}

const CLIENT = "pointkeeper";
const SECRET = "client-secret-of-the-tests-0123456789";

export async function startProvider(): Promise<TestProvider> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const callbacks: string[] = ["http://127.0.0.1:1/admin/api/session/oidc/callback"];
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  const issuer = `http://127.0.0.1:${port}`;
  const made: TestProvider = { issuer, accounts: new Map(), who: null, allow, settings, stop };
  // The library copies its settings: for another callback it is created again, with the same keys.
  const build = () => {
    const client = { client_id: CLIENT, client_secret: SECRET, redirect_uris: [...callbacks] };
    const provider = new Provider(issuer, {
      clients: [client],
      jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] },
      cookies: { keys: ["of the tests"] },
      claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, sub) => {
        const account = made.accounts.get(sub);
        return account === undefined
          ? undefined
          : { accountId: sub, claims: () => ({ ...account, groups: account.groups as string[] }) }; // cast: the library's type is not readonly
      },
      loadExistingGrant: async (ctx) => {
        const grant = new ctx.oidc.provider.Grant({
          clientId: CLIENT,
          accountId: ctx.oidc.session?.accountId ?? "",
        });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
    provider.on("server_error", (_ctx, error) => console.error(error));
    return { provider, answer: provider.callback() };
  };
  let { provider, answer } = build();
  handle = (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return void answer(request, response);
    const { who } = made;
    const refusal = { error: "access_denied", error_description: "they would not" };
    const result = who === null ? refusal : { login: { accountId: who, remember: false } };
    provider
      .interactionFinished(request, response, result, { mergeWithLastSubmission: false })
      .catch((error: unknown) => {
        if (!response.destroyed) throw error; // a browser that has left is no failure
      });
  };
  function allow(callback: string): void {
    callbacks.push(callback);
    ({ provider, answer } = build());
  }
  function settings(more: Partial<OidcSettings> = {}): OidcSettings {
    return {
      issuer,
      clientId: CLIENT,
      clientSecret: SECRET,
      scopes: "openid email profile",
      name: "Example",
      roles: {
        claim: "groups",
        values: [
          ["pk-owners", "owner"],
          ["pk-managers", "manager"],
          ["pk-support", "support"],
        ],
      },
      isOnly: false,
      linksByEmail: false,
      sessionHours: 12,
      acrs: [],
      ...more,
    };
  }
  function stop(): Promise<void> {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  }
  return made;
}

/** A browser's cookies by host, as far as a sign-in needs them: regardless of path, without expired ones. */
function createBrowser(): { get(url: string): Promise<Response>; jar: Map<string, string> } {
  const jar = new Map<string, string>();
  return {
    jar,
    async get(url) {
      const { host } = new URL(url);
      const cookie = [...jar]
        .filter(([name]) => name.startsWith(`${host} `))
        .map(([name, value]) => `${name.slice(host.length + 1)}=${value}`);
      const response = await fetch(url, { redirect: "manual", headers: { cookie: cookie.join("; ") } });
      for (const line of response.headers.getSetCookie()) {
        const [name = "", value = ""] = (line.split(";", 1)[0] ?? "").split("=", 2);
        if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(`${host} ${name}`);
        else jar.set(`${host} ${name}`, value);
      }
      return response;
    },
  };
}

/** Returns where the provider redirects the browser. */
export async function visitProvider(url: string): Promise<string> {
  const browser = createBrowser();
  let next = url;
  for (let n = 0; n < 6; n++) {
    const location = (await browser.get(next)).headers.get("location");
    if (location === null) throw new Error(`the provider shows a page at ${next}`);
    next = new URL(location, next).href;
    if (new URL(next).pathname.endsWith("/session/oidc/callback")) return next;
  }
  throw new Error("the provider leads in circles");
}

/** Returns where the service redirects a browser that comes from the provider, and the session that it gives. */
export async function comeBackTo(
  serviceUrl: string,
  callback: string,
  attempt: string,
): Promise<{ readonly to: string; readonly cookie: string | null }> {
  const { search } = new URL(callback);
  const answer = await fetch(`${serviceUrl}/admin/api/session/oidc/callback${search}`, {
    redirect: "manual",
    headers: { cookie: attempt },
  });
  if (answer.status !== 302) throw new Error(`the callback answered ${answer.status}`);
  const session = answer.headers.getSetCookie().find((line) => line.startsWith("pointkeeper_session="));
  return { to: answer.headers.get("location") ?? "", cookie: session?.split(";", 1)[0] ?? null };
}

/** Goes to the provider and back, like a browser; `cookie`: that of its session. */
export async function goAndComeBack(serviceUrl: string, path = "/session/oidc", cookie: string | null = null) {
  const headers = { ...CSRF, ...(cookie === null ? {} : { cookie }) };
  const begun = await createClient(`${serviceUrl}/admin/api`, null).post(path, undefined, headers);
  if (begun.status !== 200) throw new Error(`not begun: ${begun.text}`);
  const attempt = begun.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const callback = await visitProvider(begun.body.data.url);
  return { ...(await comeBackTo(serviceUrl, callback, attempt)), callback, attempt };
}
