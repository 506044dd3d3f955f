import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import type { SignInChallenge } from "../../src/admin/session/schema.ts";
import { apiSend } from "./client.ts";
import { loadCode } from "./code.ts";

const library = loadCode(() => import("@simplewebauthn/browser"));

/** Whether this page may use passkeys: the browser can, and the page stands where they are for. */
export function canUsePasskeys(): boolean {
  return "PublicKeyCredential" in globalThis && isSecureContext;
}

/** Asks whoever is there for a passkey, to sign in or to confirm; what the service is sent. Throws where they do not want to. */
export async function askForPasskey(path: "/session/passkey/challenge" | "/session/confirm/passkey"): Promise<object> {
  const { data } = await apiSend<{ data: SignInChallenge }>("POST", path);
  const { startAuthentication } = await library();
  const { challenge, rp_id: rpId, timeout_ms: timeout } = data;
  const made = await startAuthentication({ optionsJSON: { challenge, rpId, timeout, userVerification: "required" } });
  const { clientDataJSON, authenticatorData, signature, userHandle } = made.response;
  const response = {
    clientDataJSON,
    authenticatorData,
    signature,
    ...(userHandle === undefined ? {} : { userHandle }),
  };
  return { id: made.id, rawId: made.rawId, type: made.type, response };
}

/** Has the browser make a passkey; what the service is sent. */
export async function makePasskey(): Promise<object> {
  const { data } = await apiSend<{ data: PublicKeyCredentialCreationOptionsJSON }>(
    "POST",
    "/account/passkeys/challenge",
  );
  const { startRegistration } = await library();
  const made = await startRegistration({ optionsJSON: data });
  const { clientDataJSON, attestationObject, transports } = made.response;
  const response = { clientDataJSON, attestationObject, ...(transports === undefined ? {} : { transports }) };
  return { id: made.id, rawId: made.rawId, type: made.type, response };
}

/** Whether it ended because the person closed the browser's question, or let it run out. */
export function isPasskeyCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError");
}
