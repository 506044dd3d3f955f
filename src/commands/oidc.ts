import type { Deps } from "../deps.ts";
import { isOidcOn } from "../staff/provider/identity-queries.ts";
import { oidcCallbackUrl } from "../staff/provider/oidc-attempt.ts";
import { openProvider } from "../staff/provider/open-provider.ts";
import { switchOidc } from "../staff/provider/switch-oidc.ts";
import type { Given } from "./command-line.ts";
import { print, type Shown } from "./output.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper oidc status | off | on`: sign-in through the identity provider, and turning it off if its settings lock everybody out. */
export async function oidc(given: Given): Promise<number> {
  print(
    given,
    await withDeps((deps) => (given.action === "status" ? readStatus(deps) : flip(deps, given.action === "on"))),
  );
  return 0;
}

async function flip(deps: Deps, isOn: boolean): Promise<Shown> {
  await switchOidc(deps, { isOn });
  const off =
    "Sign-in through the identity provider is off. Its sessions have ended, and people sign in with passwords and passkeys " +
    "(pointkeeper users reset-password generates a password).";
  return {
    json: { is_on: isOn },
    text: [isOn ? "Sign-in through the identity provider is as the settings say." : off],
  };
}

async function readStatus(deps: Deps): Promise<Shown> {
  const { oidc: settings, publicUrl } = deps.config;
  if (settings === null)
    return { json: { is_set: false }, text: ["No identity provider is set: POINTKEEPER_OIDC_ISSUER."] };
  const callback = oidcCallbackUrl(publicUrl);
  const { issuer, isOnly, roles } = settings;
  const isOn = await isOidcOn(deps);
  const answers = isOn
    ? await openProvider(deps).then(
        () => "responds",
        () => "does not respond, or is not this issuer",
      )
    : "not asked";
  const text = [
    `issuer    ${issuer} (${answers})`,
    `callback  ${callback}`,
    `roles     ${roles === null ? "given in the dashboard" : `by the claim ${roles.claim}`}`,
    `state     ${isOn ? (isOnly ? "on, the only way to sign in" : "on") : "switched off by pointkeeper oidc off"}`,
  ];
  return { json: { is_set: true, issuer, callback, is_on: isOn, is_only: isOnly, provider: answers }, text };
}
